import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { staleLockMs, withFileLock } from './file-lock.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-cli-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

/** Counts how many functions run at a time. */
function counter() {
  const seen = { running: 0, max: 0, runs: 0 };
  const use = async () => {
    seen.running += 1;
    seen.max = Math.max(seen.max, seen.running);
    await new Promise((resolve) => setImmediate(resolve));
    seen.running -= 1;
    seen.runs += 1;
  };
  return { seen, use };
}

/** Leaves a lock behind, as a process does that is killed. */
async function leaveLock(ageMs: number, at = path): Promise<void> {
  await writeFile(at, 'another process');
  const time = (Date.now() - ageMs) / 1000;
  await utimes(at, time, time);
}

describe('withFileLock', () => {
  it('runs one function at a time, and leaves no file', async () => {
    const { seen, use } = counter();
    await Promise.all(Array.from({ length: 10 }, () => withFileLock(path, use)));
    expect([seen, await readdir(folder)]).toEqual([{ running: 0, max: 1, runs: 10 }, []]);
  });

  it('returns what the function returns, and frees the lock after an error', async () => {
    expect(await withFileLock(path, () => Promise.resolve(7))).toBe(7);
    await expect(withFileLock(path, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes over a lock that was left behind, one function at a time', async () => {
    await leaveLock(2 * staleLockMs);
    await leaveLock(2 * staleLockMs, `${path}.stale`);
    const { seen, use } = counter();
    await Promise.all(Array.from({ length: 10 }, () => withFileLock(path, use)));
    expect([seen, await readdir(folder)]).toEqual([{ running: 0, max: 1, runs: 10 }, []]);
  });

  it('waits for a lock that another process holds', async () => {
    await leaveLock(0);
    const { seen, use } = counter();
    const waiting = withFileLock(path, use);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen.runs).toBe(0);
    await rm(path);
    await waiting;
    expect(seen.runs).toBe(1);
  });

  it('leaves the lock of a process that has taken it over', async () => {
    await withFileLock(path, () => leaveLock(0));
    expect(await readdir(folder)).toEqual(['lock']);
  });
});
