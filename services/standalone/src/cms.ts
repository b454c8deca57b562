import { parseArgs } from 'node:util';
import { ConfigurationError, loadEnvironment, loadSiteConfig } from '@quire/config';
import { QuireError } from '@quire/errors';
import { Administration } from './administration.js';
import { commands, type Command } from './commands/commands.js';
import { Installation } from './installation.js';

/** The command line: `cms <command> …`. Prints one line of what it did; one line and exit 1 when it did not. */
async function main(args: readonly string[]): Promise<void> {
  const command = commandOf(args);
  if (!command) {
    process.stdout.write(`${usage()}\n`);
    if (!args.includes('--help') && args.length > 0)
      throw new ConfigurationError(`Unknown command: ${args.join(' ')}`);
    return;
  }
  const rest = args.slice(command.name.split(' ').length);
  if (rest.includes('--help')) {
    process.stdout.write(`Usage: cms ${command.usage}\n\n${command.summary}\n`);
    return;
  }
  const { values, positionals } = parse(command, rest);
  const environment = { ...loadEnvironment(), CMS_LOG_LEVEL: 'warn' as const };
  const installation = new Installation(environment, await loadSiteConfig(environment.CMS_CONFIG), ['cms']);
  try {
    const line = await command.run(
      { administration: new Administration(installation), installation },
      values,
      positionals,
    );
    process.stdout.write(`${line}\n`);
  } finally {
    await installation.lifecycle.stop();
  }
}

function commandOf(args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
}

function parse({ name, options }: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ConfigurationError(
      `${error instanceof Error ? error.message : String(error)} (see cms ${name} --help)`,
    );
  }
}

function usage(): string {
  const width = Math.max(...commands.map((command) => command.usage.length));
  return [
    'Usage: cms <command>',
    '',
    ...commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`),
  ].join('\n');
}

function fail(error: unknown): void {
  const isExpected = error instanceof QuireError || error instanceof ConfigurationError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${isExpected ? message : `The command failed: ${message}`}\n`);
  process.exit(1);
}

main(process.argv.slice(2)).then(() => process.exit(0), fail);
