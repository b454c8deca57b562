import { CommanderError } from 'commander';
import { ConfigurationError, loadEnvironment, loadSiteConfig } from '@quire/config';
import { QuireError } from '@quire/errors';
import { AdminService } from './admin-service.js';
import { AppContainer } from './app-container.js';
import { createProgram } from './commands/program.js';
import type { CommandDeps } from './commands/run-command.js';

/** Runs the function of a command, and prints the line that it returns. */
async function run(command: (deps: CommandDeps) => Promise<string | void>): Promise<void> {
  const environment = { ...loadEnvironment(), CMS_LOG_LEVEL: 'warn' as const };
  const installation = new AppContainer(environment, await loadSiteConfig(environment.CMS_CONFIG), ['cms']);
  try {
    const line = await command({
      adminService: new AdminService(installation),
      installation,
      print,
      stopSignal,
    });
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

function fail(error: unknown): void {
  // Commander has printed its message, and the help.
  if (error instanceof CommanderError) process.exit(error.exitCode);
  // The reader has closed the pipe.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exit(0);
  const isExpected = error instanceof QuireError || error instanceof ConfigurationError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${isExpected ? message : `The command failed: ${message}`}\n`);
  process.exit(1);
}

// A reader such as `head` may close the pipe early: the failed write of `print` ends the command.
process.stdout.on('error', () => undefined);
const args = process.argv.slice(2);
createProgram(run)
  .parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' })
  .then(() => process.exit(0), fail);
