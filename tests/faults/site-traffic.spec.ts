import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Site } from '@quire/testing';
import { closeLabs, Lab, until } from './lab/lab.js';

/** Longer than hits and misses wait before they are written. */
const pastTheNextWriteMs = 4_000;

let lab: Lab;
let site: Site;
let admin: Client;

beforeAll(async () => {
  lab = await Lab.open({ arrangement: 'together' });
  site = await lab.openSite();
  admin = await site.as('admin');
  await admin.post('/redirects', { source: '/old', destination: '/new' });
});

afterAll(closeLabs);

const visit = (path: string) => admin.get(`/redirects/resolve?path=${path}`);
const visitAll = () => Promise.all([visit('/old'), visit('/old'), visit('/old'), visit('/missing')]);
const written = async () =>
  (
    await site.sql<{ hits: string; misses: string | null }>(
      'SELECT hits, (SELECT sum(count) FROM not_found_log) AS misses FROM redirects',
    )
  ).map(({ hits, misses }) => [Number(hits), Number(misses)]);

describe('hits and paths that were not found', () => {
  it('wait while the database is gone, and are written when it is back', async () => {
    await visitAll();
    await lab.database.cut();
    await wait(pastTheNextWriteMs);
    await lab.database.restore();
    await until('they are written', async () => (await written()).join() === '3,1');
  });

  it('are written when the process stops', async () => {
    await until('it answers', async () => (await visit('/old')).status === 200);
    await until('that is written', async () => (await written()).join() === '4,1');
    await visitAll();
    await lab.stopSystem();
    expect(await written()).toEqual([[7, 2]]);
  });
});
