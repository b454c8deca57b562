import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toUserFacingError } from './user-facing-error.mjs';
import { errorCodeOf, identifyProcess, isAlive, sleep } from './process-identity.mjs';

let counter = 0;

/**
 * @param {string} text
 * @returns {{ holders: import('./process-identity.mjs').Identity[] }}
 */
const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return { holders: [] };
  }
};

/** @param {string} path */
const readHolders = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Moves a lock file without living holders aside. Puts it back when another process has replaced it.
 * @param {string} path
 * @param {string} text
 */
function removeStaleLock(path, text) {
  const aside = `${path}.${process.pid}.${counter++}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (readHolders(aside) !== text) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}

/**
 * Runs `work` while no other process on this machine runs work under the same lock file. Takes over the lock of a
 * holder that exited. `work` gets `hold(pid)`, which adds a child to the holders, so that others wait for a child that
 * outlives its killed parent.
 * @template T
 * @param {string} path the lock file
 * @param {(hold: (pid: number) => void) => Promise<T>} work
 * @param {{ onWait?: (pid: number) => void, signal?: AbortSignal | undefined }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(path, work, { onWait = () => {}, signal } = {}) {
  const holders = [identifyProcess(process.pid)];
  const draft = `${path}.${process.pid}.${counter++}`;
  const write = /** @param {string} file */ (file) =>
    writeFileSync(file, JSON.stringify({ holders, nonce: draft }));
  let isReported = false;
  try {
    mkdirSync(dirname(path), { recursive: true });
    write(draft);
    for (;;) {
      signal?.throwIfAborted();
      try {
        linkSync(draft, path);
        break;
      } catch (error) {
        if (errorCodeOf(error) !== 'EEXIST') throw error;
      }
      const text = readHolders(path);
      if (text === undefined) continue;
      const alive = parse(text).holders.find((holder) => isAlive(holder));
      if (!alive) {
        removeStaleLock(path, text);
        continue;
      }
      if (!isReported) onWait(alive.pid);
      isReported = true;
      await sleep(100);
    }
  } catch (error) {
    throw toUserFacingError(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
  const hold = /** @param {number} pid */ (pid) => {
    const child = identifyProcess(pid);
    if (child) holders.push(child);
    write(draft);
    renameSync(draft, path);
  };
  try {
    return await work(hold);
  } finally {
    rmSync(path, { force: true });
  }
}
