import 'reflect-metadata';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Environment } from '@quire/config';
import type { TransactionalDatabase } from '@quire/database';
import { beginPurge } from '@quire/tenancy';
import { eventually, eventuallyPasses } from '@quire/testing';
import { apiTargets } from '@quire/topology';
import { PostponedWorkError } from '@quire/work-queue';
import { request } from 'undici';
import { AdminService } from '../admin-service.js';
import { AppContainer } from '../app-container.js';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import type { RunningProcess } from '../process.js';
import { systemContexts } from '../targets/worker.js';
import { purgeTenant, tenantPurges } from '../tenants/purge-tenant.js';

let test: TestInstallation;
let api: RunningProcess;
let sql: TransactionalDatabase;
let token: string;
beforeAll(async () => {
  test = await openInstallation('deletion');
  sql = await test.installation.registryTables();
  api = await test.start(apiTargets);
  // Beside the site `default`, unknown hosts would be its own.
  await test.run('tenant create', { host: ['globex.example'] }, ['globex']);
});
beforeEach(async () => {
  await test.run('tenant create', { host: ['acme.example'] }, ['acme']);
  token = await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
});
afterEach(async () => {
  if ((await idsOf()).includes('acme')) await test.adminService.deletions.purge('acme');
});
afterAll(async () => {
  await api.stop();
  await test.close();
});

const others = ['default', 'globex'];
const idsOf = async () => (await test.adminService.tenants.details()).map(({ id }) => id);
const schemas = async () => {
  const rows = await sql.query<{ name: string }>(
    "SELECT nspname AS name FROM pg_namespace WHERE nspname = 'site_acme'",
  );
  return rows.length;
};
const startWorker = () => test.start(['auth-worker']);
const remove = (values: Record<string, string | boolean> = {}) =>
  test.run('tenant delete', { yes: true, ...values }, ['acme']);
const restore = () => test.run('tenant restore', {}, ['acme']);
const stateOf = async () => (await test.adminService.tenants.get('acme')).state;
const logged = async () =>
  (JSON.parse(await test.run('operator log --json')) as { action: string; target: string; actor: string }[])
    .filter(({ target }) => target === 'acme')
    .map(({ action, actor }) => [action, actor.split(':', 1)[0]]);

async function send(path = '/api/schema/collections', headers: Record<string, string> = {}) {
  const response = await request(`http://127.0.0.1:${api.port}/_cms${path}`, {
    reset: true,
    headers: { host: 'acme.example', authorization: `Bearer ${token}`, ...headers },
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text };
}
const responds = (status: number) =>
  eventuallyPasses(send, (response) => expect(response.status).toBe(status));

/** An object of the site, which is deleted last. */
async function putObject() {
  const store = await test.installation.objectStore();
  await store.put('acme/file', Readable.from([Buffer.from('text')]), { contentType: 'text/plain' });
  return async () => (await store.stat('acme/file')) !== undefined;
}

/** An object store that does not respond. */
const s3 = { S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY: 'x', S3_SECRET_KEY: 'x', S3_BUCKET: 'x' };

/** Purges with other stores. */
async function purgeWith(
  changes: Partial<Environment>,
  purge = (other: AppContainer): Promise<unknown> => new AdminService(other).deletions.purge('acme'),
): Promise<void> {
  const other = new AppContainer({ ...test.environment, ...changes }, { defaultLocale: 'en' }, ['spec']);
  try {
    await purge(other);
  } finally {
    await other.lifecycle.stop();
  }
}

describe('cms tenant delete (operations G3)', () => {
  it('lets a site respond with 410 and keeps its data and hosts, until it is restored', async () => {
    const hasObject = await putObject();
    await responds(200);
    expect(await remove()).toMatch(/^Deleted the tenant acme\. Its data is purged at \d{4}-/);
    await responds(410);
    const { headers, text } = await send();
    expect([headers['cache-control'], text]).toEqual([
      expect.stringContaining('no-store'),
      expect.stringContaining('"code":"SITE_DELETED"'),
    ]);
    const page = await send('/admin', { accept: 'text/html' });
    expect([page.status, String(page.headers['content-type'])]).toEqual([410, 'text/html; charset=utf-8']);
    expect([await schemas(), await hasObject()]).toEqual([1, true]);
    const taken = test.run('tenant create', { host: ['acme.example'] }, ['initech']);
    await expect(taken).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await test.run('tenant list')).toMatch(
      /^acme {5}deleted, to be purged at \d{4}-.*\ndefault\nglobex$/,
    );
    expect(await restore()).toBe('The tenant acme is no longer deleted');
    await responds(200);
    expect((await logged()).slice(0, 2)).toEqual([
      ['tenant restore', 'cli'],
      ['tenant delete', 'cli'],
    ]);
  });

  it('has a time of 30 days unless another one is given, which a repeated call changes', async () => {
    const days = async () => {
      const { deletedAt, purgeAt } = await test.adminService.tenants.get('acme');
      return (Date.parse(purgeAt ?? '') - Date.parse(deletedAt ?? '')) / 86_400_000;
    };
    await remove();
    expect(await days()).toBe(30);
    await remove({ keep: '12h' });
    expect(await days()).toBe(0.5);
    for (const keep of ['x', '1w', '4000d']) await expect(remove({ keep })).rejects.toThrow('hours or days');
    await expect(remove({ keep: '1d', now: true })).rejects.toThrow('not both');
    await expect(test.run('tenant delete', {}, ['acme'])).rejects.toThrow('confirm with --yes');
    await expect(test.run('tenant delete', { yes: true }, ['unknown'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('deletes all data at once with --now, and logs both ends', async () => {
    const hasObject = await putObject();
    await expect(test.run('tenant delete', { now: true }, ['acme'])).rejects.toThrow('all data of acme');
    expect(await remove({ now: true })).toBe('Deleted the tenant acme and all its data');
    expect([await schemas(), await hasObject(), await idsOf()]).toEqual([0, false, others]);
    await responds(404);
    expect((await logged()).slice(0, 2)).toEqual([
      ['tenant purged', 'cli'],
      ['tenant purge', 'cli'],
    ]);
  });
});

describe('the work of a site', () => {
  it('waits while the site is deleted, and ends when its purge has begun', async () => {
    const databases = await test.installation.databases('content', []);
    const contextOf = await systemContexts(test.installation, { databases, actor: 'system:search' });
    expect((await contextOf('acme', 'r'))?.principal.tenant.id).toBe('acme');
    await remove();
    await expect(contextOf('acme', 'r')).rejects.toThrow(PostponedWorkError);
    await restore();
    expect((await contextOf('acme', 'r'))?.principal.tenant.id).toBe('acme');
    await sql.transaction((tx) => beginPurge(tx, 'acme', 'any'));
    (await test.installation.registry()).drop();
    expect(await contextOf('acme', 'r')).toBeUndefined();
  });
});

describe('cms tenant purge', () => {
  it('purges a deleted site before its time, and no other', async () => {
    const purge = (values = {}) => test.run('tenant purge', values, ['acme']);
    await expect(purge({ yes: true })).rejects.toThrow('The tenant acme is not deleted');
    await remove();
    await expect(purge()).rejects.toThrow('confirm with --yes');
    expect(await purge({ yes: true })).toBe('Deleted the tenant acme and all its data');
    expect([await schemas(), await idsOf()]).toEqual([0, others]);
  });

  it('purges the sites whose time has come', async () => {
    await remove();
    expect(await test.run('tenant purge')).toBe('0 site(s) purged');
    await remove({ keep: '0d' });
    expect(await test.run('tenant purge')).toBe('1 site(s) purged');
    expect(await idsOf()).toEqual(others);
  });

  it('is continued after a store did not respond, and the site is not restorable in between', async () => {
    const hasObject = await putObject();
    await remove();
    // The object store is the last one: the tables are gone.
    await expect(purgeWith(s3)).rejects.toThrow('Object store request failed');
    expect([await schemas(), await hasObject(), await stateOf()]).toEqual([0, true, 'purging']);
    await expect(restore()).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(remove()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const again = test.run('tenant create', { host: ['acme.example'] }, ['acme']);
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await test.run('tenant list')).toBe('acme     purging\ndefault\nglobex');
    // A migration does not create the tables again.
    await test.adminService.migrate({ all: true });
    expect(await schemas()).toBe(0);
    expect(await test.run('tenant purge')).toBe('1 site(s) purged');
    expect([await hasObject(), await idsOf()]).toEqual([false, others]);
  });

  it('keeps the data while the search engine does not respond', async () => {
    await remove();
    const meilisearch = { MEILISEARCH_URL: 'http://127.0.0.1:1', MEILISEARCH_KEY: 'x' };
    // A table that records an index of the engine.
    const tenant = (await test.installation.databases('search', [])).tenant({ id: 'acme', database: null });
    await tenant.query(`CREATE TABLE "search_ledger_01kb2q8m4t5y6z7a8b9c0d1e2f_1" (id text)`);
    await expect(purgeWith(meilisearch)).rejects.toThrow('The search engine is unavailable');
    expect([await schemas(), await stateOf()]).toEqual([1, 'purging']);
  });
});

describe('the purge of deleted sites by a worker', () => {
  it('purges a site at the end of its time', async () => {
    const hasObject = await putObject();
    const workers = await startWorker();
    await remove({ keep: '1h' });
    await sql.query("UPDATE tenants SET purge_at = now() - interval '1 second' WHERE id = 'acme'");
    await sql.query('UPDATE tenant_purges SET due_at = now()');
    await eventuallyPasses(idsOf, (ids) => expect(ids).toEqual(others));
    expect([await schemas(), await hasObject()]).toEqual([0, false]);
    expect((await logged()).slice(0, 2)).toEqual([
      ['tenant purged', 'system'],
      ['tenant purge', 'system'],
    ]);
    await workers.stop();
  });

  it('leaves a site whose deletion was cancelled or moved, whatever its row of work states', async () => {
    await remove({ keep: '1h' });
    await sql.query('UPDATE tenant_purges SET due_at = now()');
    const workers = await startWorker();
    const claimed = () => sql.query<{ attempts: number }>('SELECT attempts FROM tenant_purges');
    await eventually(claimed, ([row]) => row?.attempts === 1);
    expect([await schemas(), await stateOf()]).toEqual([1, 'pending-deletion']);
    expect(await restore()).toBe('The tenant acme is no longer deleted');
    expect(await claimed()).toEqual([]);
    await workers.stop();
  });

  it.each([
    ['before it deleted anything', []],
    ['after the tables of some services', ['DROP SCHEMA site_acme CASCADE']],
  ])('continues one that ended %s', async (_, statements) => {
    const hasObject = await putObject();
    await sql.transaction((tx) => beginPurge(tx, 'acme', 'any'));
    for (const statement of statements) await sql.query(statement);
    const workers = await startWorker();
    await eventuallyPasses(idsOf, (ids) => expect(ids).toEqual(others));
    expect([await schemas(), await hasObject()]).toEqual([0, false]);
    await workers.stop();
  });

  it('keeps its claim when it begins', async () => {
    await remove({ keep: '0d' });
    const [claimed] = await tenantPurges.claim(sql, 1);
    const purge = (other: AppContainer) =>
      purgeTenant(other, { id: 'acme', condition: 'due', actor: 'system:spec', ...(claimed && { claimed }) });
    await expect(purgeWith(s3, purge)).rejects.toThrow('Object store request failed');
    expect(await tenantPurges.claim(sql, 1)).toEqual([]);
  });

  it('is done by one process at a time', async () => {
    await sql.transaction((tx) => beginPurge(tx, 'acme', 'any'));
    // The other one has claimed it.
    await sql.query("UPDATE tenant_purges SET attempts = 1, due_at = now() + interval '1 hour'");
    const workers = await startWorker();
    const metrics = async () => (await fetch(`http://127.0.0.1:${workers.opsPort}/metrics`)).text();
    const runs = /quire_sweep_duration_seconds_count\{sweep="tenant_purges"\} [1-9]/;
    await eventuallyPasses(metrics, (text) => expect(text).toMatch(runs));
    expect([await schemas(), await stateOf()]).toEqual([1, 'purging']);
    await sql.query('UPDATE tenant_purges SET due_at = now()');
    await eventuallyPasses(idsOf, (ids) => expect(ids).toEqual(others));
    await workers.stop();
  });
});
