export { describeFailure } from './command-error.js';
export { processIo } from './commands/command-io.js';
export { addSiteCommands, createProgram } from './program.js';
export { runProgram } from './run-program.js';
export { ProgressBar } from './terminal/progress-bar.js';
