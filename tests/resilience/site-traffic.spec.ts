import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type Site } from '@quire/testing';
import { useTestEnvironment, waitUntil } from './support.js';

/** Longer than the interval in which hits and misses are written. */
const longerThanWriteIntervalMs = 4_000;

const testEnvironment = useTestEnvironment({ arrangement: 'single' });
let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  await admin.post('/redirects', { source: '/old', destination: '/new' });
});

const visit = (path: string) => admin.get(`/redirects/resolve?path=${path}`);
const visitAll = () => Promise.all([visit('/old'), visit('/old'), visit('/old'), visit('/missing')]);
const written = async () =>
  (
    await site.sql<{ hits: string; misses: string | null }>(
      'SELECT hits, (SELECT sum(count) FROM not_found_log) AS misses FROM redirects',
    )
  ).map(({ hits, misses }) => [Number(hits), Number(misses)]);

describe('redirect hits and the not-found log', () => {
  it('are buffered during a database outage and written afterwards', async () => {
    await visitAll();
    await testEnvironment.database.disconnect();
    await wait(longerThanWriteIntervalMs);
    await testEnvironment.database.restore();
    await waitUntil('they are written', async () => (await written()).join() === '3,1');
  });

  it('are written when the process stops', async () => {
    await waitUntil('requests succeed', async () => (await visit('/old')).status === 200);
    await waitUntil('the hit is written', async () => (await written()).join() === '4,1');
    await visitAll();
    await testEnvironment.stopSystem();
    expect(await written()).toEqual([[7, 2]]);
  });
});
