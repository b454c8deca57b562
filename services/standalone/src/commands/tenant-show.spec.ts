import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordSiteFailure, sharedSchema, type TenantDetails } from '@quire/tenancy';
import { AdminService } from '../admin-service.js';
import { AppContainer } from '../app-container.js';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import type { TenantUse } from '../tenants/read-tenant.js';

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('tenant_show');
  await test.run('tenant create', { host: ['acme.example'] }, ['acme']);
  await test.run('tenant create', { host: ['globex.example'] }, ['globex']);
});
afterAll(() => test.close());

const show = async (id = 'acme') =>
  JSON.parse(await test.run('tenant show', { json: true }, [id])) as TenantDetails & TenantUse;
const tablesOf = async (service: 'content' | 'media' | 'auth') =>
  (await test.installation.databases(service, [])).tenant({ id: 'acme', database: null });

describe('cms tenant show (operations G3)', () => {
  it('shows the state of a site, its hosts, and the size of its tables', async () => {
    const shown = await show();
    expect(shown).toMatchObject({
      id: 'acme',
      state: 'active',
      hosts: ['acme.example'],
      database: null,
      createdAt: expect.stringMatching(/Z$/),
      migrations: { state: 'current', behind: [], error: null },
    });
    const [counted] = await (
      await tablesOf('content')
    ).query<{ count: number }>(
      "SELECT count(*) AS count FROM pg_class WHERE relnamespace = 'site_acme'::regnamespace",
    );
    // Services share the database: its tables count once.
    expect(shown.storage?.relations).toBe(counted?.count);
    expect(shown.storage?.bytes).toBeGreaterThan(100_000);
    expect((await test.run('tenant show', {}, ['acme'])).split('\n').slice(0, 3)).toEqual([
      'Site        acme',
      'State       active',
      'Hosts       acme.example',
    ]);
    await expect(show('unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('counts what the site has, and nothing of other sites', async () => {
    const content = await tablesOf('content');
    await content.query(
      `INSERT INTO entry_counts (name, locale, status, shard, entries)
       VALUES ('content_posts', 'en', 'draft', 0, 999998), ('content_posts', 'de', 'published', 0, 2)`,
    );
    await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
    const media = await tablesOf('media');
    await media.query(
      `INSERT INTO media_items (id, filename, mime_type, size, storage_key, content_hash, status)
       VALUES ('1', 'a.png', 'image/png', 700, 'acme/a', 'h1', 'ready'),
         ('2', 'b.png', 'image/png', 300, 'acme/b', 'h2', 'ready'),
         ('3', 'c.png', 'image/png', 900, 'acme/c', 'h3', 'pending')`,
    );
    const shared = (await test.installation.databases('content', [])).shared();
    await shared.query(
      `INSERT INTO schedules (tenant_id, entry_id, collection, scheduled_at, due_at)
       SELECT 'acme', n::text, 'posts', now() + n * interval '1 hour', now() + n * interval '1 hour'
       FROM unnest('{-1,1,2}'::int[]) n`,
    );
    await shared.query(
      `INSERT INTO ${sharedSchema('content')}.outbox (id, job, tenant_id, message)
       SELECT gen_random_uuid(), 'search.index-entry', 'acme', '{"tenantId":"acme"}' FROM generate_series(1, 4)`,
    );
    expect(await show()).toMatchObject({
      entries: 1_000_000,
      users: 1,
      media: { files: 2, bytes: 1_000 },
      schedules: { planned: 2, due: 1, lateSeconds: expect.any(Number) },
      jobs: { outbox: 4, failed: 0, isComplete: true },
    });
    expect(await test.run('tenant show', {}, ['acme'])).toMatch(
      /Entries +1000000\nMedia +2 files, 1000 bytes\nUsers +1\nJobs +0 waiting, .* 4 in the outbox\nSchedules +2 planned, 1 due, the oldest for 1h0m/,
    );
    expect(await show('globex')).toMatchObject({
      entries: 0,
      users: 0,
      media: { files: 0, bytes: 0 },
      schedules: { planned: 0, due: 0, lateSeconds: 0 },
      jobs: { outbox: 0 },
    });
  });

  it('shows why the last migration failed, and the reason of a suspension', async () => {
    const sql = await test.installation.registryTables();
    await sql.query(`UPDATE site_versions SET version = '{"content":"0001"}' WHERE tenant_id = 'globex'`);
    await recordSiteFailure(sql, 'globex', 'no space');
    await test.run('tenant suspend', { reason: 'unpaid' }, ['globex']);
    const text = await test.run('tenant show', {}, ['globex']);
    expect(text).toMatch(/State +suspended: unpaid\n/);
    expect(text).toMatch(/Migrations +failed: .*content.*: no space\n/);
    await test.run('tenant resume', {}, ['globex']);
  });

  it('shows the other parts while the queue store does not respond', async () => {
    const changes = { REDIS_URL: 'redis://127.0.0.1:1' };
    const own = new AppContainer(
      { ...test.environment, ...changes },
      { defaultLocale: 'en' },
      ['spec'],
      test.installation,
    );
    const deps = { adminService: new AdminService(own), installation: own };
    const shown = JSON.parse(await test.run('tenant show', { json: true }, ['acme'], deps)) as TenantUse;
    expect([shown.jobs, shown.users, shown.entries]).toEqual([null, 1, 1_000_000]);
    expect(await test.run('tenant show', {}, ['acme'], deps)).toMatch(/Jobs +not available\n/);
    await own.lifecycle.stop();
  });
});
