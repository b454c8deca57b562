import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from '../../prepare/run.mjs';
import { loadOrCreateSecret, readSecret } from '../process/secret-file.js';
import { UserFacingError, toUserFacingError } from '../../prepare/user-facing-error.mjs';
import { errorCodeOf } from '../../prepare/process-identity.mjs';
import { chownRecursive } from './account.js';
import { toPostgresError } from './explain.js';
import { recordDataDirectory, type DataDirectory } from './data-directory.js';

export const databaseName = 'quire';
export const superuser = 'quire';

/** The environment of PostgreSQL's programs: no variable that changes their behaviour or language. */
export const serverEnvironment = { PATH: '/usr/bin:/bin', HOME: '/', LC_MESSAGES: 'C', TZ: 'UTC' };

async function execute(place: DataDirectory, program: string, args: string[]) {
  try {
    return await run(join(place.binaries.bin, program), args, {
      cwd: '/',
      env: serverEnvironment,
      ...place.account,
    });
  } catch (error) {
    // a program that exists but "is not found" lacks its loader: a Linux without glibc
    if (errorCodeOf(error) === 'ENOENT') {
      throw new UserFacingError(
        'The bundled PostgreSQL needs a Linux with glibc: use one, or set DATABASE_URL to a PostgreSQL of your own.',
      );
    }
    throw toUserFacingError(error, place.binaries.bin);
  }
}

/** Runs initdb; a system without the locale C.UTF-8 gets plain C for what the builtin provider does not cover. */
async function initialise(place: DataDirectory, draft: string, passwordFile: string): Promise<void> {
  for (const characters of ['C.UTF-8', 'C']) {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { mode: 0o700 });
    chownRecursive(draft, place.account);
    const { code, output } = await execute(place, 'initdb', [
      `--pgdata=${draft}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      `--lc-ctype=${characters}`,
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ]);
    if (code === 0) return;
    if (characters === 'C' || !/invalid locale|locale name/.test(output))
      throw toPostgresError(output, place);
  }
}

/** Creates the database with the server in single-user mode, which needs no port. */
function createDatabase(place: DataDirectory, draft: string): void {
  const result = spawnSync(join(place.binaries.bin, 'postgres'), ['--single', '-D', draft, 'template1'], {
    ...place.account,
    cwd: '/',
    env: serverEnvironment,
    input: `CREATE DATABASE ${databaseName}\n`,
    encoding: 'utf8',
  });
  if (result.status !== 0 || /(ERROR|FATAL|PANIC):/.test(result.stderr))
    throw toPostgresError(result.stderr ?? '', place);
}

async function create(place: DataDirectory, log: (line: string) => void): Promise<void> {
  log('Creating the database…');
  const draft = join(place.home, 'cluster.new');
  const passwordFile = join(place.home, 'cluster.new.password');
  const password = loadOrCreateSecret(join(place.state, 'password'));
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (place.account.uid !== undefined) chownSync(passwordFile, place.account.uid, place.account.gid);
    await initialise(place, draft, passwordFile);
    createDatabase(place, draft);
    renameSync(draft, place.cluster);
    recordDataDirectory(place);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

function checkExisting({ cluster, binaries, account }: DataDirectory): void {
  const owner = statSync(cluster).uid;
  if (account.uid === undefined && process.getuid && owner !== process.getuid()) {
    throw new UserFacingError(
      `The database in ${cluster} belongs to another user (id ${owner}): start Quire as that user or as root, or choose another folder with CMS_DATA_DIR.`,
    );
  }
  if (owner === 0 && account.uid !== undefined) chownRecursive(cluster, account);
  chmodSync(cluster, 0o700);
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== String(binaries.major)) {
    throw new UserFacingError(
      `The database in ${cluster} was made by PostgreSQL ${version}, this Quire brings ${binaries.major}: start the Quire release that made it and export the sites, or move the folder away to start empty.`,
    );
  }
}

/**
 * Creates the database folder, or checks the existing one. A new folder is created under another name and renamed when
 * it is complete, so an interrupted attempt is repeated.
 * @throws UserFacingError one line that says what to do
 */
export async function ensureCluster(place: DataDirectory, log: (line: string) => void): Promise<void> {
  const { cluster } = place;
  try {
    if (existsSync(cluster) && readdirSync(cluster).length === 0) rmdirSync(cluster);
    if (!existsSync(cluster)) return await create(place, log);
    if (existsSync(join(cluster, 'PG_VERSION'))) return checkExisting(place);
  } catch (error) {
    throw toUserFacingError(error, cluster);
  }
  throw new UserFacingError(
    `The database in ${cluster} is damaged (PG_VERSION is missing): put a backup of the folder back, or move it away to start empty.`,
  );
}

/** The password of the superuser. @throws UserFacingError when its file is missing */
export function passwordOf({ state, cluster }: DataDirectory): string {
  const file = join(state, 'password');
  const password = readSecret(file);
  if (password) return password;
  throw new UserFacingError(
    `The password of the database is missing: put the file ${file} back, or move ${cluster} away to start empty.`,
  );
}
