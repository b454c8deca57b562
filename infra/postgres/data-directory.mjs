import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserFacingError, toUserFacingError } from '../process/user-facing-error.mjs';
import { accountFor, canEnter } from './account.mjs';
import { findBinaries } from './binaries.mjs';

const reachableRoot = '/var/lib/quire';

/**
 * Where an embedded database lies.
 * @typedef {object} DataDirectory
 * @property {string} state   password, port, users, log: always in the data dir
 * @property {string} home    the folder around the cluster: `state`, or one under /var/lib/quire
 * @property {string} locationFile names `home` when it is not `state`
 * @property {string} cluster the folder that PostgreSQL owns
 * @property {string} logFile
 * @property {import('./account.mjs').Account} account whom PostgreSQL runs as
 * @property {import('./binaries.mjs').Binaries} binaries
 */

/** Makes a folder that others may pass through but not list. */
export function createFolder(folder) {
  try {
    if (existsSync(folder)) return;
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711);
  } catch (error) {
    throw toUserFacingError(error, folder);
  }
}

function readLocation(file) {
  if (!existsSync(file)) return undefined;
  const folder = readFileSync(file, 'utf8').trim();
  if (existsSync(join(folder, 'cluster'))) return folder;
  throw new UserFacingError(
    `The database folder ${folder}, named in ${file}, does not exist: put it back, or delete ${file} to start empty.`,
  );
}

/**
 * Decides where the database lies: in the data dir, or under /var/lib/quire when root started us and the unprivileged
 * user cannot enter the data dir (a clone in /root). The file `location` in the data dir then names the folder.
 * @param {string} state the folder `postgres` of the data dir
 * @param {(line: string) => void} log
 * @returns {DataDirectory}
 */
export function resolveDataDirectory(state, log) {
  try {
    const locationFile = join(state, 'location');
    let home = readLocation(locationFile) ?? state;
    let account = accountFor(join(home, 'cluster'));
    const isRoot = account.uid !== undefined;
    if (isRoot && home === state && !canPass(state, account)) {
      if (existsSync(join(state, 'cluster', 'PG_VERSION'))) {
        throw new UserFacingError(
          `The user that runs PostgreSQL cannot enter ${state}: allow it (chmod o+x on every folder above), or set DATABASE_URL.`,
        );
      }
      home = join(reachableRoot, randomBytes(6).toString('hex'));
      createFolder(home);
      chmodSync(reachableRoot, 0o755);
      chmodSync(home, 0o755);
      account = accountFor(join(home, 'cluster'));
      log(`PostgreSQL's user cannot enter ${state}: the database will lie in ${home}`);
    }
    const binaries = findBinaries({ account, copies: isRoot ? reachableRoot : state });
    return {
      state,
      home,
      locationFile,
      cluster: join(home, 'cluster'),
      logFile: join(state, 'server.log'),
      account,
      binaries,
    };
  } catch (error) {
    throw toUserFacingError(error, state);
  }
}

/** Whether the account can pass through a folder that it need not list. */
function canPass(folder, account) {
  const probe = join(folder, 'reach');
  mkdirSync(probe, { recursive: true });
  chmodSync(probe, 0o755);
  const isReached = canEnter(probe, account);
  rmdirSync(probe);
  return isReached;
}

/** Remembers that the cluster, now complete, lies outside the data dir. @param {DataDirectory} place */
export function recordDataDirectory({ home, state, locationFile }) {
  if (home !== state) writeFileSync(locationFile, `${home}\n`, { flush: true });
}
