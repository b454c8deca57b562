import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';

/**
 * The account that runs PostgreSQL. PostgreSQL does not run as root, so root starts it as an unprivileged user. Empty:
 * the account of this process.
 */
export type Account = { uid: number; gid: number } | { uid?: undefined; gid?: undefined };

const userName = 'postgres';

function lookUp(name: string): Account | undefined {
  const idOf = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid.status === 0 && gid.status === 0
    ? { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    : undefined;
}

function create(): Account | undefined {
  const commands: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName]],
    ['adduser', ['-S', '-D', '-H', userName]],
  ];
  for (const [command, args] of commands) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return lookUp(userName);
  }
  return undefined;
}

/**
 * The account for a database folder: that of this process; for root the owner of the folder, else the user `postgres`,
 * which is created when the system has none.
 * @param cluster the database folder, which may not exist yet
 * @throws UserFacingError when the user cannot be created
 */
export function accountFor(cluster: string): Account {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp(userName) ?? create();
  if (account) return account;
  throw new UserFacingError(
    `PostgreSQL does not run as root, and the system user ${userName} could not be created: create it (useradd --system ${userName}), start Quire as another user, or set DATABASE_URL.`,
  );
}

/** Whether the account can enter a folder. A process tries it, because modes, access lists and mounts all count. */
export function canEnter(folder: string, account: Account): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -r .', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return test.status === 0;
}

/** Gives a folder and its content to the account. */
export function chownRecursive(folder: string, account: Account): void {
  if (account.uid === undefined) return;
  const result = spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder], { encoding: 'utf8' });
  if (result.status !== 0) {
    throw new UserFacingError(
      `The owner of ${folder} could not be changed to ${userName}: choose another folder with CMS_DATA_DIR.`,
    );
  }
}
