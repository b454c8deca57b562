export { CommandError, describeFailure } from './command-error.js';
export { processIo, type CommandIo } from './commands/command-io.js';
export { addSiteCommands, createProgram } from './program.js';
export { runProgram } from './run-program.js';
export { ProgressBar, type Terminal } from './terminal/progress-bar.js';
