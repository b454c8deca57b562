export { WriteBuffer } from './write-buffer.js';
