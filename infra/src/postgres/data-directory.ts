import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserFacingError, toUserFacingError } from '../../prepare/user-facing-error.mjs';
import { accountFor, canEnter, type Account } from './account.js';
import { findBinaries, type Binaries } from './binaries.js';

const reachableRoot = '/var/lib/quire';

/** The folders and programs of an embedded database. */
export interface DataDirectory {
  /** Password, port, users, log: always in the data dir. */
  state: string;
  /** The folder around the cluster: `state`, or one under /var/lib/quire. */
  home: string;
  /** Names `home` when it is not `state`. */
  locationFile: string;
  /** The folder that PostgreSQL owns. */
  cluster: string;
  logFile: string;
  account: Account;
  binaries: Binaries;
}

/** Creates a folder that other users may pass through but not list. */
export function createFolder(folder: string): void {
  try {
    if (existsSync(folder)) return;
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711);
  } catch (error) {
    throw toUserFacingError(error, folder);
  }
}

function readLocation(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const folder = readFileSync(file, 'utf8').trim();
  if (existsSync(join(folder, 'cluster'))) return folder;
  throw new UserFacingError(
    `The database folder ${folder}, named in ${file}, does not exist: put it back, or delete ${file} to start empty.`,
  );
}

/**
 * Chooses the folder of the database: the data dir, or one under /var/lib/quire when this process is root and the
 * unprivileged user cannot enter the data dir (a clone in /root). The file `location` in the data dir then names it.
 * @param state the folder `postgres` of the data dir
 */
export function resolveDataDirectory(state: string, log: (line: string) => void): DataDirectory {
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
function canPass(folder: string, account: Account): boolean {
  const probe = join(folder, 'reach');
  mkdirSync(probe, { recursive: true });
  chmodSync(probe, 0o755);
  const isReached = canEnter(probe, account);
  rmdirSync(probe);
  return isReached;
}

/** Records the folder of a complete cluster outside the data dir. */
export function recordDataDirectory({ home, state, locationFile }: DataDirectory): void {
  if (home !== state) writeFileSync(locationFile, `${home}\n`, { flush: true });
}
