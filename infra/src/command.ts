import { fileURLToPath } from 'node:url';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Shutdown } from '../prepare/shutdown-signal.mjs';
import { UserFacingError } from '../prepare/user-facing-error.mjs';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The argument of each command's `run`, which resolves to the exit code; see `prepare/run-command.mjs`. */
export interface CommandOptions {
  root: string;
  args: string[];
  shutdown: Shutdown;
}

/**
 * Parses the arguments of a command.
 * @param command its name in error messages, such as `npm run bench`
 * @throws UserFacingError one line that names the unknown or incomplete option
 */
export function parseCommandLine<T extends ParseArgsConfig>(
  command: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.\s/, 1);
    throw new UserFacingError(`${reason}: see ${command} -- --help.`);
  }
}
