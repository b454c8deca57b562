import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, hasCode } from '../command-error.js';

/** Age at which a lock counts as left behind by a process that was killed. A holder ends its work earlier. */
export const staleLockMs = 30_000;
const retryMs = 25;
/** Longer than a lock can be held and then left behind. */
const maxWaitMs = 2 * staleLockMs;

/**
 * Runs a function while no other process holds the lock.
 * @param path file of the lock; its folder exists
 * @throws CommandError when other processes hold the lock for a minute
 */
export async function withFileLock<Result>(path: string, use: () => Promise<Result>): Promise<Result> {
  const owner = randomUUID();
  const deadline = Date.now() + maxWaitMs;
  while (!(await createLock(path, owner))) {
    if (Date.now() > deadline)
      throw new CommandError(`Another command holds the lock ${path}; delete the file if none is running`);
    await removeStaleLock(path);
    await sleep(retryMs);
  }
  try {
    return await use();
  } finally {
    await removeOwnLock(path, owner);
  }
}

/** @returns whether the lock was free */
async function createLock(path: string, owner: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(owner).finally(() => file.close());
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a lock that was left behind. A second lock keeps two processes from removing one another's new lock. */
async function removeStaleLock(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  const guard = `${path}.stale`;
  if (await isStale(guard)) await rm(guard, { force: true });
  if (!(await createLock(guard, ''))) return;
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > staleLockMs;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function removeOwnLock(path: string, owner: string): Promise<void> {
  const holder = await readFile(path, 'utf8').catch(() => undefined);
  if (holder === owner) await rm(path, { force: true });
}
