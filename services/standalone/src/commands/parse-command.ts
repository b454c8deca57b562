import { parseArgs } from 'node:util';
import { ConfigurationError } from '@quire/config';
import type { Command } from './command.js';
import { commands } from './commands.js';

/** The command that the arguments begin with. */
export function findCommand(args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
}

/** What stands behind the name of a command. @throws ConfigurationError for an option that it does not have */
export function parseOptions({ name, options }: Command, args: readonly string[]) {
  const rest = args.slice(name.split(' ').length);
  try {
    return parseArgs({ args: rest, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ConfigurationError(
      `${error instanceof Error ? error.message : String(error)} (see cms ${name} --help)`,
    );
  }
}
