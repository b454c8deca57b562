import { isNativeError } from 'node:util/types';
import { printable } from './terminal/printable.js';

const interruptedExitCode = 130;

/** A failure that the user can act on. `message` is one line, printed without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';

  /** @param options.exitCode of the process */
  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }

  readonly exitCode: number;
}

/** An error response of a site. */
export class SiteError extends CommandError {
  override name = 'SiteError';

  /**
   * @param status HTTP status
   * @param code of the response (contract 0); '' for a response without one
   * @param retryAfterMs the delay that the site asks for, if it does
   */
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** The failure of a command that Ctrl-C or SIGTERM has ended. */
export function interrupted(message: string): CommandError {
  return new CommandError(message, { exitCode: interruptedExitCode });
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}

/** Whether an error of the system has the code. */
export function hasCode(error: unknown, code: string): boolean {
  return isNativeError(error) && 'code' in error && error.code === code;
}

/**
 * What the process prints and returns for an error of a command.
 * @returns one line without a line feed, and the exit code
 */
export function describeFailure(error: unknown): { line: string; exitCode: number } {
  if (error instanceof CommandError) return { line: printable(error.message), exitCode: error.exitCode };
  return { line: printable(`The command failed: ${messageOf(error)}`), exitCode: 1 };
}
