import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  cookieOf,
  logIn,
  createCommentedEntry,
  SoftwareAuthenticator,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';
import { closeEnvironments, TestEnvironment, until } from './support/test-environment.js';

let testEnvironment: TestEnvironment;
let site: Site;
let admin: Client;

beforeAll(async () => {
  testEnvironment = await TestEnvironment.open({ arrangement: 'single', onRedis: true });
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
});

afterAll(closeEnvironments);

const ready = async () => (await fetch(`${testEnvironment.system.origin}/readyz`)).status;

describe('while the database is gone', () => {
  it('answers 503 SERVICE_UNAVAILABLE with Retry-After, never 401 or 404, and recovers by itself', async () => {
    const made = await admin.post('/content/posts', { data: { title: 'Before' } });
    const path = `/content/posts/${made.data.item.id}`;
    // A credential that no cache holds must not be told to be wrong either.
    const unknownToCaches = await site.another('editor', 'late');
    await testEnvironment.database.disconnect();
    const answers: ApiResponse[] = [];
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      answers.push(await admin.get(path), await unknownToCaches.get(path));
      answers.push(
        await admin.post('/content/posts', { data: { title: 'Meanwhile' } }),
        await admin.get('/content/nothing'),
      );
      await wait(1_000);
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(answers.map(({ error }) => error.code))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    expect(answers.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
    expect(await ready()).toBe(503);
    expect((await fetch(`${testEnvironment.system.origin}/healthz`)).status).toBe(200);
    await testEnvironment.database.restore();
    await until('it answers again', async () => (await admin.get(path)).status === 200);
    expect((await unknownToCaches.get(path)).status).toBe(200);
    await until('it is ready again', async () => (await ready()) === 200);
    const list = await admin.get('/content/posts?q=Meanwhile');
    expect(list.data.items).toEqual([]);
  });
});

describe('while Redis is gone', () => {
  it('keeps reading and writing; outbox messages are dispatched when it is back', async () => {
    const made = await admin.post('/content/posts', { data: { title: 'Waits' } });
    const waiting = async () =>
      (await testEnvironment.sql.query('SELECT 1 FROM cms_content.outbox')).rows.length;
    await until('the outbox is empty', async () => (await waiting()) === 0, 30_000);
    await testEnvironment.redis.disconnect();
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const startedAt = Date.now();
    const scheduled = await admin.post(`/content/posts/${made.data.item.id}/schedule`, { scheduledAt });
    expect(scheduled.status).toBe(200);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    expect(
      (await admin.put(`/content/posts/${made.data.item.id}`, { data: { title: 'Still' } })).status,
    ).toBe(200);
    await wait(2_500);
    expect(await waiting()).toBe(1);
    await testEnvironment.redis.restore();
    await until('the outbox is empty', async () => (await waiting()) === 0, 30_000);
  });

  it('goes on knowing who is signed in, signing people in and ending sessions', async () => {
    const before = await site.signedIn('editor', 'present');
    const authenticator = new SoftwareAuthenticator();
    expect((await addPasskey(site, before, authenticator)).status).toBe(200);
    await testEnvironment.redis.disconnect();
    expect((await before.get('/auth/me')).status).toBe(200);
    const signedIn = await logIn(site, authenticator);
    expect(signedIn.status).toBe(200);
    const again = site.withSession(cookieOf(signedIn, 'cms_session') ?? '');
    expect((await again.get('/auth/me')).status).toBe(200);
    expect((await again.post('/auth/logout')).status).toBe(200);
    expect((await again.get('/auth/me')).status).toBe(401);
    await testEnvironment.redis.restore();
    expect((await before.get('/auth/me')).status).toBe(200);
    expect((await again.get('/auth/me')).status).toBe(401);
  });

  it('goes on limiting comments: the process counts by itself, and counts in Redis again when it is back', async () => {
    const other = await testEnvironment.openSite();
    const commentedEntry = await createCommentedEntry(other);
    const submit = async () => (await commentedEntry.submit({}, { address: '192.0.2.1' })).status;
    await testEnvironment.redis.disconnect();
    const statuses = [];
    for (let turn = 0; turn < 7; turn += 1) statuses.push(await submit());
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
    await testEnvironment.redis.restore();
    await until(
      'Redis, which has counted none of them, lets in',
      async () => (await submit()) === 201,
      30_000,
    );
  });
});
