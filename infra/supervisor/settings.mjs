import { resolve } from 'node:path';
import { UserFacingError } from '../process/user-facing-error.mjs';

const maxPort = 65_535;

/** A variable, where an empty one counts as unset. */
const variable = (env, name) => (env[name] === '' ? undefined : env[name]);

function readPort(env, name) {
  const text = variable(env, name);
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text.trim()) && port <= maxPort) return port;
  throw new UserFacingError(`${name} must be a port number from 0 to ${maxPort}, not "${text}".`);
}

function readUrl(env, name, protocols) {
  const text = variable(env, name);
  if (text === undefined) return undefined;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  throw new UserFacingError(
    `${name} must be an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}.`,
  );
}

/** The database that the operator gave, if any. @param {NodeJS.ProcessEnv} env */
export function readDatabaseUrl(env) {
  return readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']);
}

/** CMS_DATA_DIR, absolute. @param {NodeJS.ProcessEnv} env @param {string} root */
export function readDataDir(env, root) {
  return resolve(root, variable(env, 'CMS_DATA_DIR') ?? '.data');
}

/**
 * What the supervisor itself needs to know of the environment; everything else is checked by the application.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root the repository, which a relative CMS_DATA_DIR starts from
 */
export function readSettings(env, root) {
  const port = readPort(env, 'PORT') ?? 4321;
  return {
    port,
    workerPort: readPort(env, 'CMS_WORKER_PORT') ?? (port === 0 ? 0 : port + 1),
    dataDir: readDataDir(env, root),
    databaseUrl: readDatabaseUrl(env),
    publicUrl: readPublicUrl(env),
  };
}

/** Where browsers find the installation: the first of these variables that is set. */
function readPublicUrl(env) {
  const [url] = ['CMS_PUBLIC_URL', 'CMS_SITE_URL', 'SITE_URL'].flatMap(
    (name) => readUrl(env, name, ['http:', 'https:']) ?? [],
  );
  return url?.replace(/\/+$/, '');
}
