import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { UserFacingError } from '../process/user-facing-error.mjs';

/**
 * Whom PostgreSQL runs as. It refuses to run as root, so root hands it to an unprivileged user.
 * @typedef {{ uid?: number, gid?: number }} Account empty: ourselves
 */

const userName = 'postgres';

function lookUp(name) {
  const ask = (flag) => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const [uid, gid] = [ask('-u'), ask('-g')];
  return uid.status === 0 && gid.status === 0
    ? { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    : undefined;
}

function create() {
  const commands = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName]],
    ['adduser', ['-S', '-D', '-H', userName]],
  ];
  for (const [command, args] of commands) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return lookUp(userName);
  }
  return undefined;
}

/**
 * The account for a database folder: ourselves, or as root the owner of the folder, else the user `postgres`, which is
 * made when the system has none.
 * @param {string} cluster the database folder, which may not exist yet
 * @returns {Account}
 */
export function accountFor(cluster) {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp(userName) ?? create();
  if (account) return account;
  throw new UserFacingError(
    `PostgreSQL does not run as root, and the system user ${userName} could not be created: create it (useradd --system ${userName}), start Quire as another user, or set DATABASE_URL.`,
  );
}

/**
 * Whether the account can enter a folder, asked of the system itself (it knows modes, lists and mounts).
 * @param {string} folder
 * @param {Account} account
 */
export function canEnter(folder, account) {
  const test = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -r .', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return test.status === 0;
}

/** Gives a folder and all in it to the account. @param {string} folder @param {Account} account */
export function chownRecursive(folder, account) {
  if (account.uid === undefined) return;
  const result = spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder], { encoding: 'utf8' });
  if (result.status !== 0) {
    throw new UserFacingError(
      `The owner of ${folder} could not be changed to ${userName}: choose another folder with CMS_DATA_DIR.`,
    );
  }
}
