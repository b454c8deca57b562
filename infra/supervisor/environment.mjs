import { join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded-postgres.mjs';
import { ensureLogin } from '../postgres/login.mjs';
import { UserFacingError } from '../process/user-facing-error.mjs';
import { loadOrCreateSecret } from '../process/secret-file.mjs';
import { run } from '../process/run.mjs';

/**
 * The database to work with: the operator's, else the embedded one.
 * @param {{ databaseUrl?: string, dataDir: string }} settings
 * @param {(line: string) => void} log
 * @returns {Promise<{ url: string, isFresh: boolean, stop: (options?: { immediate?: boolean }) => Promise<void> }>}
 *   isFresh: nobody used it before us, so nobody has migrated it for us
 */
export async function openDatabase({ databaseUrl, dataDir }, log) {
  if (databaseUrl) return { url: databaseUrl, isFresh: false, stop: async () => {} };
  const { url, adopted, stop } = await startEmbeddedPostgres({ dataDir, log });
  try {
    return { url: await ensureLogin(url), isFresh: !adopted, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The environment of everything that works on this data dir. The secret between targets is kept there, so that targets
 * started one by one on one machine agree.
 * @param {NodeJS.ProcessEnv} env
 * @param {{ dataDir: string, url: string }} options
 */
export function environmentFor(env, { dataDir, url }) {
  return {
    ...env,
    CMS_DATA_DIR: dataDir,
    DATABASE_URL: url,
    CMS_INTERNAL_SECRET: env.CMS_INTERNAL_SECRET || loadOrCreateSecret(join(dataDir, 'internal-secret')),
  };
}

const link = /^https?:\/\/\S+\/_cms\/admin\/setup\?token=\S+$/m;

/**
 * The link with which the first user sets the site up; undefined where none is needed, or none could be made.
 * @param {{ cms: string, cwd: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {Promise<string | undefined>}
 */
export async function createSetupLink({ cms, cwd, env, signal }) {
  const { output } = await run(process.execPath, [cms, 'setup-link', '--if-needed'], { cwd, env, signal });
  return link.exec(output)?.[0];
}

/**
 * Brings the tables up to date.
 * @param {{ cms: string, cwd: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 */
export async function migrate({ cms, cwd, env, signal }) {
  const { code, output, errors } = await run(process.execPath, [cms, 'migrate'], { cwd, env, signal });
  if (code === 0) return;
  const lines = (errors.trim() || output.trim()).split('\n').filter((line) => line.trim() !== '');
  // what Node.js prints of an uncaught error begins with the source line: the error itself says more
  const line =
    lines.find((each) => /^\s*(?:\w*Error\b|Cannot |Wrong )/.test(each)) ??
    lines.at(-1) ??
    `exit code ${code}`;
  throw new UserFacingError(
    lines.length === 1 ? lines[0] : `The database could not be migrated: ${line.trim()}`,
  );
}
