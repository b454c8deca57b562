export { Administration } from './administration.js';
export { findCommand, parseOptions } from './commands/parse-command.js';
export { Installation } from './installation.js';
export { knownTargets, startProcess, type RunningProcess, type Target } from './process.js';
