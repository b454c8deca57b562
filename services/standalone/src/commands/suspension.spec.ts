import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, eventuallyPasses } from '@quire/testing';
import { apiTargets, workerTargets, type DataServiceName } from '@quire/topology';
import { request } from 'undici';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import type { RunningProcess } from '../process.js';

let test: TestInstallation;
let running: RunningProcess;
let token: string;
beforeAll(async () => {
  test = await openInstallation('suspension');
  running = await test.start([...apiTargets, ...workerTargets]);
  await test.run('tenant create', { host: ['acme.example'] }, ['acme']);
  await test.run('tenant create', { host: ['globex.example'] }, ['globex']);
  token = await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
});
afterAll(async () => {
  await running.stop();
  await test.close();
});

interface Sent {
  method?: 'GET' | 'POST';
  body?: object;
  headers?: Record<string, string>;
}

async function send(host: string, path: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const response = await request(`http://127.0.0.1:${running.port}/_cms${path}`, {
    method,
    headers: { host, 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}
const acme = (path: string, sent?: Sent) => send('acme.example', path, sent);
const itemOf = (text: string) =>
  (JSON.parse(text) as { data: { item: { id: string; status: string } } }).data.item;
const suspend = () => test.run('tenant suspend', { reason: 'unpaid' }, ['acme']);
const resume = () => test.run('tenant resume', {}, ['acme']);
const isSuspended = async () => (await acme('/api/schema/collections')).status === 503;

describe('cms tenant suspend and resume (operations G3)', () => {
  it('let every request of the site fail with SITE_SUSPENDED, without the reason, and no other site', async () => {
    expect((await acme('/api/schema/collections')).status).toBe(200);
    expect(await suspend()).toBe('The tenant acme is suspended');
    expect(await eventually(isSuspended)).toBe(true);
    for (const [path, sent] of [
      ['/api/schema/collections', {}],
      ['/api/auth/mode', {}],
      ['/api/content/posts', { method: 'POST', body: {} }],
      ['/api/mcp', { method: 'POST', body: {} }],
      ['/api/nothing', {}],
    ] as [string, Sent][]) {
      const { status, headers, text } = await acme(path, sent);
      expect([path, status, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([
        path,
        503,
        'SITE_SUSPENDED',
      ]);
      expect([headers['retry-after'], text.includes('unpaid')]).toEqual(['300', false]);
    }
    const page = await acme('/admin', { headers: { accept: 'text/html' } });
    expect([page.status, String(page.headers['content-type'])]).toEqual([503, 'text/html; charset=utf-8']);
    // The token is one of the other site.
    expect((await send('globex.example', '/api/auth/mode')).status).toBe(401);
    expect(await resume()).toBe('The tenant acme is no longer suspended');
    expect(await eventually(async () => !(await isSuspended()))).toBe(true);
  });

  it('keep schedules and messages: they are not lost, and done after the site is resumed', async () => {
    await acme('/api/schema/collections', { method: 'POST', body: { slug: 'posts', label: 'Posts' } });
    const created = itemOf(
      (await acme('/api/content/posts', { method: 'POST', body: { slug: 'one', data: {} } })).text,
    );
    const path = `/api/content/posts/${created.id}`;
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await acme(`${path}/schedule`, { method: 'POST', body: { scheduledAt } });
    expect(scheduled.status).toBe(200);
    await suspend();
    expect(await eventually(isSuspended)).toBe(true);
    const databases = await test.installation.databases('content', []);
    const sql = databases.shared();
    const overdue = new Date(Date.now() - 60_000).toISOString();
    await databases
      .tenant({ id: 'acme', database: null })
      .query('UPDATE content_posts SET scheduled_at = $1', [overdue]);
    await sql.query("UPDATE schedules SET scheduled_at = $1, due_at = $1 WHERE tenant_id = 'acme'", [
      overdue,
    ]);
    // The sweep has met the schedule, and postponed it without an attempt.
    const due = () =>
      sql.query<{ attempts: number; inSeconds: number }>(
        `SELECT attempts, extract(epoch FROM due_at - now())::float AS "inSeconds" FROM schedules
         WHERE tenant_id = 'acme' AND scheduled_at < now()`,
      );
    const [postponed] = await eventually(due, ([row]) => (row?.inSeconds ?? 0) > 10);
    expect(postponed?.attempts).toBe(0);
    const metrics = async () => (await fetch(`http://127.0.0.1:${running.opsPort}/metrics`)).text();
    await eventuallyPasses(metrics, (text) => expect(text).toContain('quire_scheduled_entries_overdue 0'));
    await resume();
    await sql.query("UPDATE schedules SET due_at = now() WHERE tenant_id = 'acme'");
    expect(await eventually(async () => !(await isSuspended()))).toBe(true);
    const published = await eventually(
      async () => itemOf((await acme(path)).text),
      ({ status }) => status === 'published',
    );
    expect(published.status).toBe('published');
  });

  it('postpone the work of all tables, and use none of its attempts', async () => {
    await suspend();
    expect(await eventually(isSuspended)).toBe(true);
    const postponed = async (service: DataServiceName, table: string, columns: string, values: string) => {
      const sql = (await test.installation.databases(service, [])).shared();
      await sql.query(
        `INSERT INTO ${table} (tenant_id, due_at, ${columns})
         VALUES ('acme', now() - interval '1 second', ${values})`,
      );
      const [row] = await eventually(
        () =>
          sql.query<{ attempts: number; isLater: boolean }>(
            `SELECT attempts, due_at > now() + interval '10 seconds' AS "isLater" FROM ${table}
             WHERE tenant_id = 'acme' AND due_at > now() AND attempts = 0`,
          ),
        ([found]) => found?.isLater === true,
      );
      await sql.query(`DELETE FROM ${table} WHERE tenant_id = 'acme'`);
      return row;
    };
    const later = { attempts: 0, isLater: true };
    for (const [service, table, columns, values] of [
      ['content', 'deletion_work', 'attempts', '0'],
      [
        'media',
        'usage_work',
        'collection_id, content_id, collection_slug, state',
        "'c', 'e', 'posts', 'pending'",
      ],
      [
        'media',
        'usage_deletions',
        'collection_id, collection_slug, state, phase',
        "'c', 'posts', 'pending', 'fence'",
      ],
      ['media', 'usage_rebuilds', 'collection_id, collection_slug', "'c', 'posts'"],
      ['search', 'search_tasks', 'collection_id, task, entry_id', "'c', 'index', 'e'"],
      ['search', 'search_tasks', 'collection_id, task', "'c', 'reconcile'"],
      ['transfer', 'import_steps', 'import_id', "'i'"],
      ['transfer', 'transfer_steps', 'operation_id', "'o'"],
    ] as const)
      expect([table, await postponed(service, table, columns, values)]).toEqual([table, later]);
    // A download is claimed with its host, which a sweep removes when it has none.
    const hosts = "(tenant_id, host, slots) VALUES ('acme', 'old.example', 1)";
    const download = `import_id, number, host) SELECT 'acme', now(), 'i', 1, 'old.example'`;
    const transfer = (await test.installation.databases('transfer', [])).shared();
    await transfer.query(
      `WITH host AS (INSERT INTO media_download_hosts ${hosts})
       INSERT INTO media_download_tasks (tenant_id, due_at, ${download}`,
    );
    const released = () =>
      transfer.query<{ attempts: number }>(
        `SELECT attempts FROM media_download_tasks
         WHERE due_at > now() + interval '10 seconds' AND lease_token IS NULL`,
      );
    // While it is claimed, it is due later too, with an attempt.
    const isReleased = ([task]: { attempts: number }[]) => task?.attempts === 0;
    expect(await eventually(released, isReleased)).toEqual([{ attempts: 0 }]);
    await resume();
    expect(await eventually(async () => !(await isSuspended()))).toBe(true);
  });

  it('are listed, and recorded in the log of operators', async () => {
    await suspend();
    const listed = JSON.parse(await test.run('tenant list --json')) as object[];
    expect(listed).toMatchObject([
      { id: 'acme', hosts: ['acme.example'], suspensionReason: 'unpaid', suspendedAt: expect.any(String) },
      { id: 'default', database: null },
      { id: 'globex', suspendedAt: null, suspensionReason: null, readOnlyReason: null },
    ]);
    await resume();
    const actions = JSON.parse(await test.run('operator log --json')) as object[];
    expect(actions.slice(0, 2)).toMatchObject([
      { action: 'tenant resume', target: 'acme' },
      { action: 'tenant suspend', target: 'acme', detail: { reason: 'unpaid' }, count: 1 },
    ]);
    await expect(test.run('tenant resume', {}, ['unknown'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
