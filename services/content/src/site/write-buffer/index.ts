export { DatabaseLimits } from './task-limit.js';
export { WriteBuffer } from './write-buffer.js';
