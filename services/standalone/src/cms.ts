import { ConfigurationError, loadEnvironment, loadSiteConfig } from '@quire/config';
import { QuireError } from '@quire/errors';
import { AdminService } from './admin-service.js';
import { commands } from './commands/commands.js';
import { findCommand, parseOptions } from './commands/parse-command.js';
import { AppContainer } from './app-container.js';

/** The command line: `cms <command> …`. Prints one line of what it did; one line and exit 1 when it did not. */
async function main(args: readonly string[]): Promise<void> {
  const command = findCommand(args);
  if (!command) {
    process.stdout.write(`${usage()}\n`);
    if (!args.includes('--help') && args.length > 0)
      throw new ConfigurationError(`Unknown command: ${args.join(' ')}`);
    return;
  }
  if (args.includes('--help')) {
    process.stdout.write(`Usage: cms ${command.usage}\n\n${command.summary}\n`);
    return;
  }
  const { values, positionals } = parseOptions(command, args);
  const environment = { ...loadEnvironment(), CMS_LOG_LEVEL: 'warn' as const };
  const installation = new AppContainer(environment, await loadSiteConfig(environment.CMS_CONFIG), ['cms']);
  try {
    const adminService = new AdminService(installation);
    const deps = { adminService, installation, print, stopSignal };
    const line = await command.run(deps, values, positionals);
    if (line) await print(line);
  } finally {
    await installation.lifecycle.stop();
  }
}

function print(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  return stopping.signal;
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
  // The reader has had enough.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exit(0);
  const isExpected = error instanceof QuireError || error instanceof ConfigurationError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${isExpected ? message : `The command failed: ${message}`}\n`);
  process.exit(1);
}

// Whoever reads the output may stop reading, as `head` does: the write says so and ends the command.
process.stdout.on('error', () => undefined);
main(process.argv.slice(2)).then(() => process.exit(0), fail);
