import { join } from 'node:path';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.js';
import { ensureLogin } from '../postgres/login.js';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { loadOrCreateSecret } from '../process/secret-file.js';
import { run } from '../../prepare/run.mjs';

export interface Database {
  url: string;
  /** Whether this process started it, so that it may need a migration. */
  isFresh: boolean;
  stop(options?: { immediate?: boolean }): Promise<void>;
}

/** Opens the operator's database, or else the embedded one. */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string },
  log: (line: string) => void,
): Promise<Database> {
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
 * The environment of all processes on this data dir. The data dir holds the secret between targets, so that targets
 * started one by one on one machine share it.
 */
export function environmentFor(
  { DATABASE_URL_FILE: _, ...env }: NodeJS.ProcessEnv,
  { dataDir, url }: { dataDir: string; url: string },
) {
  const hasSecret = env.CMS_INTERNAL_SECRET || env.CMS_INTERNAL_SECRET_FILE;
  return {
    ...env,
    CMS_DATA_DIR: dataDir,
    DATABASE_URL: url,
    ...(hasSecret ? {} : { CMS_INTERNAL_SECRET: loadOrCreateSecret(join(dataDir, 'internal-secret')) }),
  };
}

const link = /^https?:\/\/\S+\/_cms\/admin\/setup\?token=\S+$/m;

interface CmsOptions {
  /** The script of the command line. */
  cms: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/** The link for the setup of the site by its first user; undefined when the site needs none, or the command failed. */
export async function createSetupLink({ cms, cwd, env, signal }: CmsOptions): Promise<string | undefined> {
  const { output } = await run(process.execPath, [cms, 'setup-link', '--if-needed'], { cwd, env, signal });
  return link.exec(output)?.[0];
}

/** Migrates the tables. @throws UserFacingError with the error of the migration */
export async function migrate({ cms, cwd, env, signal }: CmsOptions): Promise<void> {
  const { code, output, errors } = await run(process.execPath, [cms, 'migrate'], { cwd, env, signal });
  if (code === 0) return;
  const lines = (errors.trim() || output.trim()).split('\n').filter((line) => line.trim() !== '');
  // the output of an uncaught error begins with its source line; the message follows
  const line =
    lines.find((each) => /^\s*(?:\w*Error\b|Cannot |Wrong )/.test(each)) ??
    lines.at(-1) ??
    `exit code ${code}`;
  throw new UserFacingError(lines.length === 1 ? line : `The database could not be migrated: ${line.trim()}`);
}
