import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { toOneLine } from '../../prepare/user-facing-error.mjs';
import type { CommandOptions } from '../command.js';
import { standalone, type Application } from './application.js';
import { environmentFor, migrate, openDatabase, type Database } from './environment.js';
import { readDataDir, readDatabaseUrl } from './settings.js';

/** Runs the command line in this terminal. @returns its exit code, as a shell reports it */
function runInTerminal(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { env, stdio: 'inherit' });
    // Ctrl-C reaches the child from the terminal; this process stops the database after the child
    const handlers = {
      SIGINT: () => {},
      SIGTERM: () => child.kill('SIGTERM'),
      SIGHUP: () => child.kill('SIGHUP'),
    };
    for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
    child.once('error', reject);
    child.once('exit', (code, signalName) => {
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
      resolve(code ?? 128 + (signalName === null ? 0 : constants.signals[signalName]));
    });
  });
}

/**
 * `npm run -s cms -- …`: the command line on the database of `npm start`, which is started for the duration of the
 * command when it does not run. Writes only the command's own output to standard output.
 * @returns the command's exit code, or 1 after one line on standard error
 */
export async function runCms({
  root,
  app,
  args,
  env = process.env,
}: {
  root: string;
  app: Application;
  args: string[];
  env?: NodeJS.ProcessEnv;
}): Promise<number> {
  const log = (line: string) => console.error(line);
  let database: Database | undefined;
  let code = 1;
  try {
    const settings = { dataDir: readDataDir(env, root), databaseUrl: readDatabaseUrl(env) };
    database = await openDatabase(settings, log);
    const childEnv = environmentFor(env, { dataDir: settings.dataDir, url: database.url });
    if (database.isFresh && args[0] !== 'migrate') await migrate({ cms: app.cms, cwd: root, env: childEnv });
    code = await runInTerminal(app.cms, args, childEnv);
  } catch (error) {
    log(toOneLine(error));
  }
  await database?.stop().catch((error: unknown) => log(toOneLine(error)));
  return code;
}

export const run = ({ root, args }: CommandOptions) => runCms({ root, app: standalone(root), args });
