import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { toOneLine } from '../process/user-facing-error.mjs';
import { prepare } from '../prepare/prepare.mjs';
import { environmentFor, migrate, openDatabase } from './environment.mjs';
import { readDataDir, readDatabaseUrl } from './settings.mjs';

/** Runs the command line in our terminal and waits for its end; its exit code, as a shell would give it. */
function runThrough(script, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { env, stdio: 'inherit' });
    // Ctrl-C reaches the child from the terminal itself; we only outlive it, to stop the database
    const handlers = {
      SIGINT: () => {},
      SIGTERM: () => child.kill('SIGTERM'),
      SIGHUP: () => child.kill('SIGHUP'),
    };
    for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
    child.once('error', reject);
    child.once('exit', (code, signalName) => {
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
      resolve(code ?? 128 + constants.signals[signalName]);
    });
  });
}

/**
 * Everything behind `npm run -s cms -- …`: the command line with the database that `npm start` would use, which is
 * started for the length of the command when it does not run. Writes nothing of its own to standard output.
 * @param {object} options
 * @param {string} options.root the repository
 * @param {import('./application.mjs').Application} options.app
 * @param {string[]} options.args
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {boolean} [options.isPrepared] leave installing and building out
 * @returns {Promise<number>} the command's exit code, or 1 after one line that says what went wrong
 */
export async function command({ root, app, args, env = process.env, isPrepared = false }) {
  const log = (line) => console.error(line);
  let database;
  let code = 1;
  try {
    const settings = { dataDir: readDataDir(env, root), databaseUrl: readDatabaseUrl(env) };
    if (!isPrepared) await prepare({ root, log });
    database = await openDatabase(settings, log);
    const childEnv = environmentFor(env, { dataDir: settings.dataDir, url: database.url });
    if (database.isFresh && args[0] !== 'migrate') await migrate({ cms: app.cms, cwd: root, env: childEnv });
    code = await runThrough(app.cms, args, childEnv);
  } catch (error) {
    log(toOneLine(error));
  }
  await database?.stop().catch((error) => log(toOneLine(error)));
  return code;
}
