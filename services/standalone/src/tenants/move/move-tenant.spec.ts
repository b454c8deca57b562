import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import { apiTargets, workerTargets } from '@quire/topology';
import { request } from 'undici';
import type { RunningProcess } from '../../process.js';
import { openMoveInstallation, otherKey, type MoveInstallation } from '../../move.fixture.js';
import type { MoveOptions, MoveStep } from './move-tenant.js';

const entries = 1_000;

let test: MoveInstallation;
let running: RunningProcess;
let token: string;

interface Item {
  id: string;
  status: string;
}

async function send(method: 'GET' | 'POST', path: string, body?: object) {
  const response = await request(`http://127.0.0.1:${running.port}/_cms/api${path}`, {
    method,
    headers: { host: 'acme.example', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  const { data } = JSON.parse(text) as { data: { item: Item; items: Item[] } };
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], text, data };
}
const create = (title: string) => send('POST', '/content/posts', { data: { title } });

beforeAll(async () => {
  test = await openMoveInstallation('move');
  running = await test.start([...apiTargets, ...workerTargets]);
  await test.run('tenant create', { host: ['acme.example'] }, ['acme']);
  token = await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
  await send('POST', '/schema/collections', { slug: 'posts', label: 'Posts' });
  const field = { slug: 'title', label: 'Title', type: 'string' };
  await send('POST', '/schema/collections/posts/fields', field);
  await test.on(
    null,
    `INSERT INTO site_acme.content_posts (id, slug, title, _locale, _translation_group)
     SELECT '01' || lpad(n::text, 24, '0'), 'entry-' || n, repeat('title ' || n, 20), 'en', '01' || lpad(n::text, 24, '0')
     FROM generate_series(1, ${entries}) n`,
  );
});
afterAll(async () => {
  await running.stop();
  await test.close();
});

async function move(to: string | null, changes: Partial<MoveOptions> = {}) {
  return test.adminService.tenants.move({
    id: 'acme',
    to,
    maxPauseSeconds: 180,
    keepsCopy: false,
    settleMs: 0,
    actor: 'spec',
    ...changes,
  });
}

/** The databases with a schema of the site. */
async function schemas(): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (const key of [null, otherKey]) {
    const rows = await test.on(key, "SELECT 1 FROM pg_namespace WHERE nspname = 'site_acme'");
    if (rows.length > 0) found.push(key);
  }
  return found;
}
const selectId = (key: string | null, ids: unknown[]) =>
  test.on<{ id: string }>(key, 'SELECT id FROM site_acme.content_posts WHERE id = ANY($1)', [ids]);
const isWritable = async () => (await create('a write')).status === 201;

describe('cms tenant move (operations G8)', () => {
  it('lets a site be read all the time, and rejects writes with 503 only while it is copied', async () => {
    let isMoving = true;
    const reads: number[] = [];
    const writes: { status: number; retryAfter: unknown; id?: string }[] = [];
    const read = async () => {
      while (isMoving) reads.push((await send('GET', '/content/posts?limit=20')).status);
    };
    const write = async () => {
      for (let number = 1; isMoving; number += 1) {
        const { status, retryAfter, data } = await create(`during ${number}`);
        writes.push({ status, retryAfter, ...(status === 201 && { id: data.item.id }) });
      }
    };
    const clients = [read(), read(), write()];
    const receipt = await move(otherKey);
    await eventually(() => Promise.resolve(writes.at(-1)?.status === 201));
    isMoving = false;
    await Promise.all(clients);
    process.stdout.write(
      `Writes were rejected for ${receipt?.pauseMs} ms: ${receipt?.rows} rows, ${receipt?.bytes} bytes\n`,
    );
    expect(new Set(reads)).toEqual(new Set([200]));
    expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([201, 503]));
    const rejected = writes.filter(({ status }) => status === 503);
    expect(new Set(rejected.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['2']));
    // No accepted write is lost.
    const created = writes.flatMap(({ id }) => id ?? []);
    expect((await selectId(otherKey, created)).map(({ id }) => id).sort()).toEqual(created.sort());
    expect(receipt).toMatchObject({ from: null });
    expect(receipt?.rows).toBeGreaterThan(entries);
    expect(await schemas()).toEqual([otherKey]);
  });

  it('is in the log of operators, with its receipt', async () => {
    const [action] = JSON.parse(await test.run('operator log --json')) as object[];
    const numbers = { rows: expect.any(String), bytes: expect.any(String), pauseMs: expect.any(String) };
    expect(action).toMatchObject({
      actor: 'spec',
      action: 'tenant move',
      target: 'acme',
      detail: { from: 'default', to: otherKey, ...numbers },
      count: 1,
    });
  });

  it('makes a publication that is due in the middle, once, and takes the messages and work of the site along', async () => {
    const { id } = (await create('scheduled')).data.item;
    const scheduledAt = new Date(Date.now() + 2_000).toISOString();
    expect((await send('POST', `/content/posts/${id}/schedule`, { scheduledAt })).status).toBe(200);
    const versionOf = async (key: string | null) =>
      (
        await test.on<{ version: number }>(key, 'SELECT version FROM site_acme.content_posts WHERE id = $1', [
          id,
        ])
      )[0]?.version;
    const version = await versionOf(otherKey);
    const message = `'move-test', 'unknown-job', '{"tenantId": "acme"}', 'acme'`;
    await test.on(
      otherKey,
      `INSERT INTO cms_content.outbox (id, job, message, tenant_id) VALUES (${message})`,
    );
    const schedule = async () =>
      (
        await test.on<{ attempts: number; due: string }>(
          otherKey,
          'SELECT attempts, due_at::text AS due FROM cms_content.schedules WHERE entry_id = $1',
          [id],
        )
      )[0];
    const before = await schedule();
    await move(null, {
      onStep: async (step) => {
        if (step !== 'copied') return;
        // A worker has postponed it, without an attempt.
        const isPostponed = (row: typeof before) => row?.due !== before?.due && row?.attempts === 0;
        expect(isPostponed(await eventually(schedule, isPostponed, 90_000))).toBe(true);
      },
    });
    const published = await eventually(
      async () => (await send('GET', `/content/posts/${id}`)).data.item,
      ({ status }) => status === 'published',
      60_000,
    );
    expect(published.status).toBe('published');
    expect(await versionOf(null)).toBe((version ?? 0) + 1);
    const messages = "SELECT 1 FROM cms_content.outbox WHERE id = 'move-test'";
    expect([(await test.on(null, messages)).length, (await test.on(otherKey, messages)).length]).toEqual([
      1, 0,
    ]);
    expect(
      await eventually(
        async () => (await test.on(null, 'SELECT 1 FROM cms_content.schedules')).length,
        (count) => count === 0,
      ),
    ).toBe(0);
    expect(await schemas()).toEqual([null]);
  });

  it('is a command that tells its steps, and may leave the former copy', async () => {
    const lines: string[] = [];
    const line = await test.run('tenant move', { database: otherKey, keep: true }, ['acme'], {
      adminService: test.adminService,
      installation: test.installation,
      print: (text) => Promise.resolve(void lines.push(text)),
    });
    expect(lines).toEqual(['Writes are rejected; copying']);
    expect(line).toMatch(
      /^Moved the tenant acme from default to EU2: \d+ rows of \d+ tables, \d+ bytes; writes were rejected for \d+\.\d\d s\nThe copy in default remains, read-only$/,
    );
    expect(await eventually(isWritable)).toBe(true);
    expect(await schemas()).toEqual([null, otherKey]);
    await expect(test.on(null, 'DELETE FROM site_acme.content_posts')).rejects.toMatchObject({
      code: 'QR006',
    });
    expect(await move(otherKey)).toBeUndefined();
    expect(await test.run('tenant move', { database: otherKey }, ['acme'])).toBe('The tenant acme is in EU2');
    expect(await schemas()).toEqual([otherKey]);
  });

  it('fails before it begins for a site or a database that does not exist, and while an import runs', async () => {
    await expect(move(null, { id: 'unknown' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(move('EU9')).rejects.toThrow('set DATABASE_URL_EU9');
    const reason = (value: string) =>
      test.on(null, `UPDATE cms_registry.tenants SET read_only_reason = ${value} WHERE id = 'acme'`);
    await reason("'TRANSFER_IMPORT_IN_PROGRESS'");
    await expect(move(null)).rejects.toMatchObject({ code: 'CONFLICT' });
    await reason('NULL');
    await test.on(null, "DELETE FROM cms_search._migrations WHERE name = '0011-index-inspections'");
    await expect(move(null)).rejects.toThrow('default lacks migrations of search (0011-index-inspections)');
    await test.on(null, "INSERT INTO cms_search._migrations VALUES ('search', '0011-index-inspections')");
  });

  it('lets the site be written again when it fails, or takes too long', async () => {
    await test.on(otherKey, 'CREATE VIEW site_acme.manual AS SELECT 1 AS one');
    await expect(move(null)).rejects.toThrow('cannot be copied');
    expect(await isWritable()).toBe(true);
    await test.on(otherKey, 'DROP VIEW site_acme.manual');
    await expect(move(null, { maxPauseSeconds: 0.001 })).rejects.toThrow('accepts writes again');
    expect(await isWritable()).toBe(true);
    // An import has begun in the middle.
    const reason = (value: string) =>
      test.on(null, `UPDATE cms_registry.tenants SET read_only_reason = ${value} WHERE id = 'acme'`);
    const message = `'back-test', 'unknown-job', '{"tenantId": "acme"}', 'acme'`;
    await test.on(
      otherKey,
      `INSERT INTO cms_content.outbox (id, job, message, tenant_id) VALUES (${message})`,
    );
    const onStep = async (step: MoveStep) => {
      if (step === 'rows-moved') await reason("'TRANSFER_IMPORT_IN_PROGRESS'");
    };
    await expect(move(null, { onStep })).rejects.toMatchObject({ code: 'CONFLICT' });
    await reason('NULL');
    expect(await eventually(isWritable)).toBe(true);
    const messages = "SELECT 1 FROM cms_content.outbox WHERE id = 'back-test'";
    expect([(await test.on(null, messages)).length, (await test.on(otherKey, messages)).length]).toEqual([
      0, 1,
    ]);
    const registered = "SELECT database, moving_until AS until FROM cms_registry.tenants WHERE id = 'acme'";
    expect(await test.on(null, registered)).toEqual([{ database: otherKey, until: null }]);
  });
});
