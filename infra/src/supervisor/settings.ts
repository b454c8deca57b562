import { resolve } from 'node:path';
import { readSecret } from '../process/secret-file.js';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';

const maxPort = 65_535;

/** The value of a variable. An empty one counts as unset. */
const variable = (env: NodeJS.ProcessEnv, name: string) => (env[name] === '' ? undefined : env[name]);

function readPort(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = variable(env, name);
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text.trim()) && port <= maxPort) return port;
  throw new UserFacingError(`${name} must be a port number from 0 to ${maxPort}, not "${text}".`);
}

function readUrl(env: NodeJS.ProcessEnv, name: string, protocols: readonly string[]): string | undefined {
  const text = variable(env, name);
  if (text === undefined) return undefined;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  throw new UserFacingError(
    `${name} must be an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}.`,
  );
}

/**
 * The operator's own database, if any; its address may be in the file DATABASE_URL_FILE.
 * @throws UserFacingError one line that names the wrong variable
 */
export function readDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
  const file = variable(env, 'DATABASE_URL_FILE');
  const text = file === undefined ? variable(env, 'DATABASE_URL') : readSecret(file);
  if (text === undefined && file !== undefined)
    throw new UserFacingError(`DATABASE_URL_FILE: there is no file ${file}.`);
  return readUrl({ DATABASE_URL: text }, 'DATABASE_URL', ['postgres:', 'postgresql:']);
}

/** CMS_DATA_DIR as an absolute path. */
export function readDataDir(env: NodeJS.ProcessEnv, root: string): string {
  return resolve(root, variable(env, 'CMS_DATA_DIR') ?? '.data');
}

export interface Settings {
  port: number;
  workerPort: number;
  dataDir: string;
  databaseUrl: string | undefined;
  publicUrl: string | undefined;
}

/**
 * The supervisor's own settings. The application checks all others.
 * @param root the repository, the base of a relative CMS_DATA_DIR
 * @throws UserFacingError one line that names the wrong variable
 */
export function readSettings(env: NodeJS.ProcessEnv, root: string): Settings {
  const port = readPort(env, 'PORT') ?? 4321;
  return {
    port,
    workerPort: readPort(env, 'CMS_WORKER_PORT') ?? (port === 0 ? 0 : port + 1),
    dataDir: readDataDir(env, root),
    databaseUrl: readDatabaseUrl(env),
    publicUrl: readPublicUrl(env),
  };
}

/** The public address of the installation: the first of these variables that is set. */
function readPublicUrl(env: NodeJS.ProcessEnv): string | undefined {
  const [url] = ['CMS_PUBLIC_URL', 'CMS_SITE_URL', 'SITE_URL'].flatMap(
    (name) => readUrl(env, name, ['http:', 'https:']) ?? [],
  );
  return url?.replace(/\/+$/, '');
}
