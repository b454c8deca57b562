import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import { ProcessPool } from './process-pool.js';

/** A program whose tasks name its behaviour. */
const program = `
let received = 0;
process.stdin.on('data', (chunk) => (received += chunk.length));
process.on('message', async ({ task: { doing }, byteLength }) => {
  while (received < byteLength) await new Promise(setImmediate);
  const part = { pid: process.pid, variables: Object.keys(process.env), received };
  received = 0;
  if (doing === 'dying') process.exit(3);
  process.send({ part });
  if (doing === 'blocking') for (;;);
  if (doing === 'nothing more') return;
  process.send({ end: true });
});
process.on('SIGTERM', () => undefined);
process.send({ end: true });
`;

interface Task {
  doing: 'well' | 'dying' | 'blocking' | 'nothing more';
}
interface Part {
  pid: number;
  variables: string[];
  received: number;
}

let folder: string;
let script: URL;
const pools: ProcessPool<Task, Part>[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-pool-'));
  script = pathToFileURL(join(folder, 'program.mjs'));
  await writeFile(script, program);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await rm(folder, { recursive: true });
});

function openPool(options: { script?: URL; idleMs?: number } = {}) {
  const lines: object[] = [];
  const logger = { warn: (fields: object) => void lines.push(fields) };
  const pool = new ProcessPool<Task, Part>({
    script,
    maxHeapMebibytes: 64,
    idleMs: 60_000,
    logger,
    ...options,
  });
  pools.push(pool);
  const parts: Part[] = [];
  const run = (task: Task, { timeoutMs = 20_000, bytes }: { timeoutMs?: number; bytes?: Buffer } = {}) =>
    pool.run(task, { bytes, timeoutMs, onPart: (part) => void parts.push(part) });
  return { pool, run, parts, lines };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('ProcessPool', () => {
  it('reuses processes, and starts one for each concurrent task', async () => {
    const { run, parts } = openPool();
    await run({ doing: 'well' });
    await run({ doing: 'well' });
    await Promise.all([run({ doing: 'well' }), run({ doing: 'well' })]);
    const [first, second, ...others] = parts.map(({ pid }) => pid);
    expect(second).toBe(first);
    expect(new Set(others).size).toBe(2);
  });

  it('passes bytes unchanged, and no environment variable', async () => {
    const { run, parts } = openPool();
    const sizes = [1024 * 1024, 0, 7];
    for (const size of sizes) await run({ doing: 'well' }, { bytes: Buffer.alloc(size) });
    const variables = ['MALLOC_ARENA_MAX'];
    expect(parts).toEqual(sizes.map((received) => ({ pid: expect.any(Number), received, variables })));
  });

  it.each(['blocking', 'nothing more'] as const)(
    'kills a process that takes too long (%s): its task fails with what was found, others go on',
    async (doing) => {
      const { run, parts, lines } = openPool();
      const slow = run({ doing }, { timeoutMs: 1_500 });
      await run({ doing: 'well' });
      await expect(slow).rejects.toMatchObject({ name: 'ProcessFailure', reason: 'timeout' });
      const [pids, expected] = [new Set(parts.map(({ pid }) => pid)), 2];
      expect(pids.size).toBe(expected);
      expect([...pids].filter(isAlive)).toHaveLength(1);
      expect(lines).toEqual([{ reason: 'timeout' }]);
      await run({ doing: 'well' });
    },
  );

  it('fails the task of a process that dies, and starts another', async () => {
    const { run, parts } = openPool();
    await expect(run({ doing: 'dying' })).rejects.toMatchObject({ reason: 'exit' });
    await run({ doing: 'well' });
    expect(parts).toHaveLength(1);
  });

  it('fails when the program cannot be started', async () => {
    const { run } = openPool({ script: new URL('missing.mjs', script) });
    await expect(run({ doing: 'well' })).rejects.toMatchObject({ reason: 'exit' });
  });

  it('ends an idle process', async () => {
    const { run, parts } = openPool({ idleMs: 10 });
    await run({ doing: 'well' });
    await eventually(
      () => Promise.resolve(isAlive(parts[0]?.pid ?? 0)),
      (alive) => !alive,
    );
    await run({ doing: 'well' });
    expect(parts).toHaveLength(2);
  });

  it('ends all processes when it is closed, and rejects later tasks', async () => {
    const { pool, run, parts } = openPool();
    await run({ doing: 'well' });
    const running = run({ doing: 'nothing more' });
    await eventually(
      () => Promise.resolve(parts.length),
      (count) => count === 2,
    );
    const closed = pool.close();
    await expect(running).rejects.toMatchObject({ reason: 'closed' });
    await closed;
    expect(parts.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
    await expect(run({ doing: 'well' })).rejects.toMatchObject({ reason: 'closed' });
  });
});
