import { CommanderError, type Command } from 'commander';
import { describeFailure, hasCode } from './command-error.js';

/**
 * Runs the command of a command line and ends the process: with 0, with 1 after one line about a failure, with 130
 * after Ctrl-C. Without arguments it prints the help.
 * @param args without the program
 * @param explain the message and exit code of errors that are not of this library
 */
export function runProgram(
  program: Command,
  args: readonly string[],
  explain: (error: unknown) => { line: string; exitCode: number } = describeFailure,
): void {
  // A reader such as `head` may close the pipe early: a command ends when its own write fails, or goes on.
  process.stdout.on('error', () => undefined);
  program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' }).then(
    () => exit(0),
    (error: unknown) => exit(fail(error, explain)),
  );
}

/** Ends the process once the reader of the standard output has everything. */
function exit(exitCode: number): void {
  process.stdout.write('', () => process.exit(exitCode));
}

/** @returns the exit code */
function fail(error: unknown, explain: (error: unknown) => { line: string; exitCode: number }): number {
  // Commander has printed its message, and the help.
  if (error instanceof CommanderError) return error.exitCode;
  // The reader has closed the pipe.
  if (hasCode(error, 'EPIPE')) return 0;
  const { line, exitCode } = explain(error);
  process.stderr.write(`${line}\n`);
  return exitCode;
}
