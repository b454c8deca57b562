import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@quire/testing';
import { DatabasePair } from './database-pair.js';
import { closeEnvironments, TestEnvironment, waitUntil } from './support.js';

let databases: DatabasePair;
let testEnvironment: TestEnvironment;
let admin: Client;
let pathname: string;

beforeAll(async () => {
  databases = await DatabasePair.open();
  testEnvironment = await TestEnvironment.open({
    arrangement: 'single',
    postgres: databases.primaryUrl,
  });
  ({ pathname } = new URL(testEnvironment.database.url));
  admin = await (await testEnvironment.openSite()).as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
});
afterAll(async () => {
  await closeEnvironments();
  await databases.close();
});

const create = () => admin.post('/content/posts', { data: { title: 'Switchover' } });
const addressOf = (server: string) => new URL(pathname, server).href;

describe('a switchover between two servers', () => {
  it('rejects writes at the former primary with 503, and writes to the new one without a restart', async () => {
    const { id } = (await create()).data.item;
    await databases.switchOver();
    const rejected = await waitUntil('a write meets the former primary, a standby now', async () => {
      const response = await create();
      return /read-only|unavailable/.test(response.error?.message ?? '') && response;
    });
    expect([rejected.status, rejected.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    // New connections reach the new primary. Those that are open still lead to the standby.
    testEnvironment.database.redirect(addressOf(databases.primaryUrl), { keepsPresent: true });
    const created = await waitUntil('a write succeeds', async () => {
      const response = await create();
      return response.status === 201 && response;
    });
    for (const entryId of [id, created.data.item.id])
      expect((await admin.get(`/content/posts/${entryId}`)).status).toBe(200);
    await waitUntil('the process is ready', async () => {
      const { opsPort } = await testEnvironment.server();
      return (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status === 200;
    });
  });
});
