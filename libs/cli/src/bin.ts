#!/usr/bin/env node
import { processIo } from './commands/command-io.js';
import { addSiteCommands, createProgram } from './program.js';
import { runProgram } from './run-program.js';

const program = createProgram('Signs in to sites of Quire, exports them and imports them.');
addSiteCommands(program, processIo());
runProgram(program, process.argv.slice(2));
