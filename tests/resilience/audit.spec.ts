import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runCommand, type Site } from '@quire/testing';
import {
  closeEnvironments,
  sendUntilAvailable,
  TestEnvironment,
  waitUntil,
  type TestEnvironmentOptions,
} from './support.js';

let testEnvironment: TestEnvironment;
let site: Site;

afterEach(closeEnvironments);

async function openEnvironment(options: TestEnvironmentOptions): Promise<void> {
  testEnvironment = await TestEnvironment.open(options);
  site = await testEnvironment.openSite();
}

let count = 0;

/** Creates redirects concurrently. @returns their ids */
async function createRedirects(number: number): Promise<string[]> {
  const admin = await site.as('admin');
  const creations = Array.from({ length: number }, () => {
    count += 1;
    const source = `/from${count}`;
    return sendUntilAvailable(() => admin.post('/redirects', { source, destination: '/to' }));
  });
  return (await Promise.all(creations)).map(({ data }) => data.id as string);
}

const recorded = async () => {
  const rows = await site.sql<{ id: string }>(
    "SELECT target_id AS id FROM audit_log WHERE action = 'redirect.created' ORDER BY id",
  );
  return rows.map(({ id }) => id).sort();
};

/** Waits until all are recorded, and checks that each is recorded once and the chain is unbroken. */
async function expectRecordedOnce(ids: readonly string[], withinMs: number): Promise<void> {
  await waitUntil('all are recorded', async () => (await recorded()).length >= ids.length, withinMs);
  // Waits for duplicates.
  await wait(1_500);
  expect(await recorded()).toEqual([...ids].sort());
  const args = ['audit', 'verify', '--tenant', site.tenant];
  expect(await runCommand(site, args)).toMatchObject({ code: 0, stderr: '' });
}

describe.each([
  ['PostgreSQL', false],
  ['Redis', true],
])('audit log with queues on %s', (_, onRedis) => {
  it('contains each event once when workers are killed', async () => {
    await openEnvironment({ arrangement: 'no-workers', onRedis });
    const ids = [];
    for (let round = 1; round <= 4; round += 1) {
      const { pid } = await testEnvironment.control<{ pid: number }>('/workers/start');
      setTimeout(() => process.kill(pid, 'SIGKILL'), 30 * round);
      ids.push(...(await createRedirects(8)));
    }
    await wait(200);
    await testEnvironment.control('/workers/start');
    // Stalled jobs are detected only after a while.
    await expectRecordedOnce(ids, 100_000);
  });
});

describe('audit log with several workers', () => {
  it('has one unbroken chain', async () => {
    await openEnvironment({ arrangement: 'many-workers' });
    await expectRecordedOnce(await createRedirects(60), 30_000);
  });
});
