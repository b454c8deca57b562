import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './harness.mjs';

const { stopTimeoutMs } = await import('../dist/supervisor/stop-timeout.js');
const { SupervisedProcess } = await import('../dist/supervisor/supervised-process.js');
const { maxStopMs } = await import('../../libs/runtime/dist/index.js');

test('a process may take its drain and the time of all its parts to stop', () => {
  for (const seconds of [0, 5, 60]) {
    const timeout = stopTimeoutMs({ CMS_DRAIN_SECONDS: String(seconds) });
    assert.ok(timeout > seconds * 1_000 + maxStopMs, `${timeout} ms for ${seconds} s`);
  }
  for (const env of [
    {},
    { CMS_DRAIN_SECONDS: '' },
    { CMS_DRAIN_SECONDS: 'soon' },
    { CMS_DRAIN_SECONDS: '-1' },
  ])
    assert.equal(stopTimeoutMs(env), stopTimeoutMs({ CMS_DRAIN_SECONDS: '0' }));
  assert.equal(stopTimeoutMs({ CMS_DRAIN_SECONDS: '1e9' }), stopTimeoutMs({ CMS_DRAIN_SECONDS: '60' }));
});

/** Stops a process that takes half a second. @returns the notes of its stop, and the lines of the supervisor */
async function stopWithin(t, stopTimeout) {
  const log = join(temporaryFolder(t), 'fake.log');
  const lines = [];
  const supervised = new SupervisedProcess({
    name: 'API process',
    main: fileURLToPath(new URL('fakes/main.mjs', import.meta.url)),
    args: ['--target', 'gateway'],
    cwd: process.cwd(),
    env: { ...process.env, PORT: '0', FAKE_LOG: log, FAKE_STOP_MS: '500' },
    log: (line) => lines.push(line),
    stopTimeoutMs: stopTimeout,
    onSpawn: () => undefined,
  });
  await supervised.start({ migrates: false });
  await supervised.stop();
  const notes = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return { lines, stops: notes.filter((note) => note.startsWith('stop ')) };
}

test('a process that stops within its time is not killed', async (t) => {
  assert.deepEqual(await stopWithin(t, 30_000), { lines: [], stops: ['stop gateway SIGTERM'] });
});

test('a process that takes longer is killed, with a line', async (t) => {
  const lines = ['The API process did not stop within 0.1 s and is killed.'];
  assert.deepEqual(await stopWithin(t, 100), { lines, stops: [] });
});
