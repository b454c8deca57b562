import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, hasCode } from '../command-error.js';

/** Time without a refresh after which a lock counts as left behind by a process that was killed. */
export const staleLockMs = 10_000;
const refreshMs = 2_000;
const retryMs = 25;
/** Longer than a lock is held by the renewal of tokens, and then left behind. */
const maxWaitMs = 60_000;

/** How a function waits for a lock. */
interface LockOptions {
  /** Time between two refreshes of a lock that is held. */
  refreshMs?: number;
  /** Ends the waiting. */
  signal?: AbortSignal;
  /** The error for a lock that another process refreshes. Without it the function waits for a minute. */
  heldError?: () => Error;
}

/** A lock that this process holds. */
export interface HeldLock {
  /** Aborted when another process has taken the lock over: this one was suspended for longer than `staleLockMs`. */
  signal: AbortSignal;
  /** @throws the reason of `signal` when another process has taken the lock over */
  assertHeld(): Promise<void>;
}

/**
 * Runs a function while no other process holds the lock, and refreshes the lock while it runs.
 * @param path file of the lock; its folder exists
 * @throws `heldError`, or a CommandError after a minute, while other processes hold the lock; CommandError when another
 *   process has taken it over; the reason of the signal
 */
export async function withFileLock<Result>(
  path: string,
  use: (lock: HeldLock) => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const owner = randomUUID();
  await waitForLock(path, owner, options);
  const lost = new AbortController();
  const assertHeld = async () => {
    if (!(await isHeldBy(path, owner)))
      lost.abort(new CommandError(`Another command has taken over the lock ${path}`));
    lost.signal.throwIfAborted();
  };
  const timer = setInterval(() => void refresh(path, assertHeld), options.refreshMs ?? refreshMs);
  try {
    return await use({ signal: lost.signal, assertHeld });
  } catch (error) {
    // What the signal interrupts rejects with errors of its own.
    lost.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(timer);
    if (await isHeldBy(path, owner)) await rm(path, { force: true });
  }
}

async function waitForLock(path: string, owner: string, { heldError, signal }: LockOptions): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  const refreshedBefore = await refreshTimeOf(path);
  while (!(await createLock(path, owner))) {
    signal?.throwIfAborted();
    if (heldError && isLater(await refreshTimeOf(path), refreshedBefore)) throw heldError();
    if (Date.now() > deadline)
      throw new CommandError(`Another command holds the lock ${path}; delete the file if none is running`);
    await removeStaleLock(path);
    await sleep(retryMs);
  }
}

/** A lock that was refreshed, or created, since the first look has a holder that runs. */
function isLater(time: number | undefined, before: number | undefined): boolean {
  return time !== undefined && (before === undefined || time > before);
}

/** A refresh that fails is repeated by the next one. */
async function refresh(path: string, assertHeld: () => Promise<void>): Promise<void> {
  try {
    await assertHeld();
    const now = new Date();
    await utimes(path, now, now);
  } catch {
    return;
  }
}

/** @returns whether the lock was free */
async function createLock(path: string, owner: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(owner).finally(() => file.close());
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
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
  const time = await refreshTimeOf(path);
  return time !== undefined && Date.now() - time > staleLockMs;
}

/** @returns undefined without a lock */
async function refreshTimeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function isHeldBy(path: string, owner: string): Promise<boolean> {
  return (await readFile(path, 'utf8').catch(() => undefined)) === owner;
}
