import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SiteMigration } from '../migration/migration-status.js';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import { ownedTables } from '../services.js';

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('migrate');
});
afterAll(() => test.close());
afterEach(async () => {
  for (const { id } of await test.adminService.tenants.list())
    if (id !== 'default') await test.adminService.deletions.purge(id);
});

const sql = async () => await test.installation.registryTables();
const query = async (text: string, values: unknown[] = []) =>
  (await sql()).query<{ name: string }>(text, values);
const createSite = (id: string) =>
  test.adminService.tenants.create({ id, database: null }, [`${id}.example`]);
const forgetVersion = (id: string) =>
  query("UPDATE site_versions SET version = '{}' WHERE tenant_id = $1", [id]);
const hasSchema = async (id: string) =>
  (await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [`site_${id}`])).length === 1;
const statusOf = async (id: string) =>
  (JSON.parse(await test.run('migrate --status --json')) as SiteMigration[]).find(
    ({ tenant }) => tenant === id,
  );

it('the last migration of each service has the greatest name: by it, sites are found to be behind', async () => {
  for (const { databases, tables } of await ownedTables(test.installation)) {
    const names = tables.tenant.map(({ name }) => name);
    expect([databases.service, names.at(-1)]).toEqual([databases.service, names.sort().at(-1)]);
  }
});

describe('cms migrate (operations F8)', () => {
  it('looks at the tables of sites that have all migrations only with --all', async () => {
    await createSite('skipped');
    await query("DELETE FROM site_skipped._migrations WHERE service = 'media'");
    expect(await test.run('migrate')).toBe('Nothing to migrate: 2 tenant(s) are up to date');
    await expect(test.run('migrate --all')).rejects.toThrow('skipped: ');
  });

  it('makes schemas that are missing, whatever the records say', async () => {
    await createSite('lost');
    await query('DROP SCHEMA site_lost CASCADE');
    expect(await test.run('migrate')).toMatch(/^Applied \d+ migration\(s\) for 2 tenant\(s\)$/);
    expect(await hasSchema('lost')).toBe(true);
  });

  it('migrates several sites at the same time', async () => {
    const ids = ['one', 'two', 'three', 'four'];
    for (const id of ids) {
      await createSite(id);
      await query(`DROP SCHEMA site_${id} CASCADE`);
      await forgetVersion(id);
    }
    expect(await test.run('migrate', { jobs: '4' })).toMatch(
      /^Applied \d+ migration\(s\) for 5 tenant\(s\)$/,
    );
    for (const id of ids) expect([id, await hasSchema(id)]).toEqual([id, true]);
    expect(await test.run('migrate --status')).toBe('5 site(s): current: 5, newer: 0, behind: 0, failed: 0');
  });

  it('continues after a site that fails, names it with the reason, and tries it again in the next run', async () => {
    for (const id of ['broken', 'sound']) {
      await createSite(id);
      await forgetVersion(id);
    }
    const [forgotten] = await query(
      `DELETE FROM site_broken._migrations WHERE service = 'media' AND name =
         (SELECT min(name) FROM site_broken._migrations WHERE service = 'media') RETURNING name`,
    );
    await expect(test.run('migrate')).rejects.toThrow(/; 1 failed:\nbroken: .*already exists/);
    expect([await statusOf('sound'), await statusOf('broken')]).toMatchObject([
      { state: 'current', behind: [], error: null },
      { state: 'failed', error: expect.stringContaining('already exists') },
    ]);
    expect(await test.run('migrate --status')).toMatch(
      /failed: 1\nSITE +STATE +BEHIND +ERROR\nbroken +failed/,
    );
    await query("INSERT INTO site_broken._migrations (service, name) VALUES ('media', $1)", [
      forgotten?.name,
    ]);
    expect(await test.run('migrate')).toContain('3 tenant(s)');
    expect(await statusOf('broken')).toMatchObject({ state: 'current', error: null });
  });

  it('migrates one site with --tenant', async () => {
    for (const id of ['chosen', 'other']) {
      await createSite(id);
      await forgetVersion(id);
    }
    await test.run('migrate', { tenant: 'chosen' });
    expect([await statusOf('chosen'), await statusOf('other')]).toMatchObject([
      { state: 'current' },
      { state: 'behind', behind: expect.arrayContaining(['auth', 'content', 'media']) },
    ]);
    await expect(test.run('migrate', { tenant: 'unknown' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('rejects a number of jobs that is not from 1 to 32', async () => {
    for (const jobs of ['0', '33', '1.5', 'many'])
      await expect(test.run('migrate', { jobs })).rejects.toThrow('It must be a number from 1 to 32.');
  });
});

describe('a program on the tables of a newer one (operations F6)', () => {
  it('migrates beside additive migrations, and does not record an earlier version', async () => {
    await createSite('ahead');
    await query("INSERT INTO site_ahead._migrations (service, name) VALUES ('content', '9999-newer')");
    await query(
      `UPDATE site_versions SET version = version || '{"content": "9999-newer", "media": ""}' WHERE tenant_id = 'ahead'`,
    );
    expect(await statusOf('ahead')).toMatchObject({ state: 'behind', behind: ['media'] });
    expect(await test.run('migrate')).toContain('2 tenant(s)');
    expect(await statusOf('ahead')).toMatchObject({ state: 'newer', behind: [] });
  });

  it('is refused when a newer one has broken them', async () => {
    await query("INSERT INTO breaking_migrations (service, name) VALUES ('content', '9999-newer')");
    await expect(test.run('migrate')).rejects.toThrow(
      'The database is newer than this program, which cannot work with its tables (content/9999-newer)',
    );
    await query('DELETE FROM breaking_migrations');
    expect(await test.run('migrate')).toContain('Nothing to migrate');
  });
});
