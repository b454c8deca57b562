import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { staleLockMs, withFileLock, type HeldLock } from './file-lock.js';

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

  it('rejects with the given error while another function holds and refreshes the lock', async () => {
    const heldError = () => new Error('held');
    await withFileLock(
      path,
      async () => {
        const { seen, use } = counter();
        await expect(withFileLock(path, use, { heldError })).rejects.toThrow('held');
        expect(seen.runs).toBe(0);
      },
      { refreshMs: 10 },
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes over a lock that was left behind, also with an error for locks that are held', async () => {
    await leaveLock(2 * staleLockMs);
    const { seen, use } = counter();
    await withFileLock(path, use, { heldError: () => new Error('held') });
    expect([seen.runs, await readdir(folder)]).toEqual([1, []]);
  });

  it('ends the waiting when the signal aborts', async () => {
    await leaveLock(0);
    const { use } = counter();
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(withFileLock(path, use, { signal })).rejects.toThrow('stopped');
  });

  it('interrupts a function whose lock another process has taken over', async () => {
    const interrupted = withFileLock(
      path,
      async ({ signal }) => {
        await leaveLock(0);
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
      { refreshMs: 10 },
    );
    await expect(interrupted).rejects.toThrow(`Another command has taken over the lock ${path}`);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('asserts that the lock is held, at once', async () => {
    const use = async ({ assertHeld }: HeldLock) => {
      await assertHeld();
      await leaveLock(0);
      await assertHeld();
    };
    await expect(withFileLock(path, use)).rejects.toThrow('has taken over the lock');
  });
});
