export { AdminService } from './admin-service.js';
export { findCommand, parseOptions } from './commands/parse-command.js';
export { AppContainer } from './app-container.js';
export { knownTargets, startProcess, type RunningProcess, type Target } from './process.js';
