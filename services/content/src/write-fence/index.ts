export { WriteFenceInterceptor } from './write-fence.interceptor.js';
export { fenceCodes, WriteFences } from './write-fences.js';
export { writeFencesMigration } from './write-fences.tables.js';
