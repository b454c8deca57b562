import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { toUserFacingError } from './user-facing-error.mjs';
import { identifyProcess, isAlive, sleep } from './process-identity.mjs';

let counter = 0;

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return { holders: [] };
  }
};

const readHolders = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Puts a lock file aside whose holders are all gone; another one that came in between is put back. */
function removeStaleLock(path, text) {
  const aside = `${path}.${process.pid}.${counter++}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readHolders(aside) !== text) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}

/**
 * Runs `work` while no other process on this machine runs work under the same lock file. A lock whose holder died
 * is taken over. `work` gets `hold(pid)`: the lock then also counts as held while that child lives, so that a child
 * that outlives a killed holder is waited for.
 * @template T
 * @param {string} path the lock file
 * @param {(hold: (pid: number) => void) => Promise<T>} work
 * @param {{ onWait?: (pid: number) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(path, work, { onWait = () => {}, signal } = {}) {
  const holders = [identifyProcess(process.pid)];
  const draft = `${path}.${process.pid}.${counter++}`;
  const write = (file) => writeFileSync(file, JSON.stringify({ holders, nonce: draft }));
  let told = false;
  try {
    mkdirSync(dirname(path), { recursive: true });
    write(draft);
    for (;;) {
      signal?.throwIfAborted();
      try {
        linkSync(draft, path);
        break;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const text = readHolders(path);
      if (text === undefined) continue;
      const alive = parse(text).holders.find((holder) => isAlive(holder));
      if (!alive) {
        removeStaleLock(path, text);
        continue;
      }
      if (!told) onWait(alive.pid);
      told = true;
      await sleep(100);
    }
  } catch (error) {
    throw toUserFacingError(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
  const hold = (pid) => {
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
