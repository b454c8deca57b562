import { describeFailure, processIo, runProgram } from '@quire/cli';
import { ConfigurationError, loadEnvironment, loadSiteConfig } from '@quire/config';
import { QuireError } from '@quire/errors';
import { AdminService } from './admin-service.js';
import { AppContainer } from './app-container.js';
import { createProgram } from './commands/program.js';
import type { CommandDeps } from './commands/run-command.js';

const io = processIo();

/** Runs the function of a command, and prints the line that it returns. */
async function run(command: (deps: CommandDeps) => Promise<string | void>): Promise<void> {
  const environment = { ...loadEnvironment(), CMS_LOG_LEVEL: 'warn' as const };
  const installation = new AppContainer(environment, await loadSiteConfig(environment.CMS_CONFIG), ['cms']);
  try {
    const line = await command({
      adminService: new AdminService(installation),
      installation,
      print,
      stopSignal: io.stopSignal,
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

/** Errors that the operator can act on have a message of their own. */
function explain(error: unknown): { line: string; exitCode: number } {
  if (error instanceof QuireError || error instanceof ConfigurationError)
    return { line: error.message, exitCode: 1 };
  return describeFailure(error);
}

runProgram(createProgram(run, io), process.argv.slice(2), explain);
