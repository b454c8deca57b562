// The system of the tests opens sessions and raises fences itself.
export { ensureUser, openSession } from '@quire/auth-service';
export { WriteFence } from '@quire/transfer-service';
export { AdminService } from './admin-service.js';
export { createProgram } from './commands/program.js';
export { AppContainer } from './app-container.js';
export { databasesOf } from './services.js';
export { startProcess, type RunningProcess } from './process.js';
