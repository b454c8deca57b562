export { AdminService } from './admin-service.js';
export { findCommand, parseOptions } from './commands/parse-command.js';
export { AppContainer } from './app-container.js';
export { databasesOf } from './services.js';
export { startProcess, type RunningProcess } from './process.js';
