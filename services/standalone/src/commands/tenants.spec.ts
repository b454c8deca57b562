import 'reflect-metadata';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  checkSiteConfig,
  ConfigurationError,
  edgeAccess,
  type Environment,
  type SiteConfig,
} from '@quire/config';
import { beginPurge } from '@quire/tenancy';
import { eventuallyPasses } from '@quire/testing';
import { apiTargets } from '@quire/topology';
import { request } from 'undici';
import { AdminService } from '../admin-service.js';
import { AppContainer } from '../app-container.js';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('tenants');
});
afterAll(() => test.close());

describe('cms setup-link', () => {
  const tenant = 'waiting';
  const link = /^http:\/\/waiting\.example(?::\d+)?\/_cms\/admin\/setup\?token=[\w-]{43}$/;
  beforeAll(() => test.adminService.tenants.create({ id: tenant, database: null }, ['waiting.example']));
  afterAll(() => test.adminService.deletions.purge(tenant));

  /** Runs the command with other settings. */
  async function withSettings(
    { site = { defaultLocale: 'en' }, changes = {} }: { site?: SiteConfig; changes?: Partial<Environment> },
    values: Record<string, string | boolean> = {},
  ): Promise<string> {
    const other = new AppContainer({ ...test.environment, ...changes }, site, ['spec']);
    const deps = { adminService: new AdminService(other), installation: other };
    return test.run('setup-link', { tenant, ...values }, [], deps).finally(() => other.lifecycle.stop());
  }
  const edge = checkSiteConfig({ auth: edgeAccess({ teamDomain: 'team.example' }) }, 'cms.config.mjs');

  it('prints only a link, another one each time', async () => {
    const links = [
      await test.run('setup-link', { tenant }),
      await test.run('setup-link', { tenant, 'if-needed': true }),
    ];
    for (const printed of links) expect(printed).toMatch(link);
    expect(links[0]).not.toBe(links[1]);
  });

  it('prints nothing with --if-needed for an unknown site, and if the setup needs no link', async () => {
    const ifNeeded = { 'if-needed': true };
    expect(await test.run('setup-link', { tenant: 'unknown', ...ifNeeded })).toBe('');
    expect(await withSettings({ changes: { CMS_SETUP: 'open' } }, ifNeeded)).toBe('');
    expect(await withSettings({ site: edge }, ifNeeded)).toBe('');
  });

  it('fails for an unknown site, and behind an edge access proxy', async () => {
    await expect(test.run('setup-link', { tenant: 'unknown' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(withSettings({ site: edge })).rejects.toThrow(ConfigurationError);
  });

  it('fails for a site with users; with --if-needed it prints nothing', async () => {
    await test.adminService.createToken({ tenant, role: 'editor', scopes: [] });
    await expect(test.run('setup-link', { tenant })).rejects.toMatchObject({ code: 'SETUP_COMPLETE' });
    expect(await test.run('setup-link', { tenant, 'if-needed': true })).toBe('');
  });
});

describe('tenant commands', () => {
  const tenant = { id: 'doomed', database: null };
  const schemas = async () => {
    const databases = await test.installation.registryDatabases();
    const rows = await databases
      .inSchema('pg_catalog')
      .query<{ name: string }>("SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'site_%'");
    return rows.map(({ name }) => name).sort();
  };

  it('create and delete a tenant with all its tables and objects', async () => {
    await test.adminService.tenants.create(tenant, ['doomed.example']);
    const store = await test.installation.objectStore();
    for (const key of ['doomed/file', 'default/file'])
      await store.put(key, Readable.from([Buffer.from('text')]), { contentType: 'text/plain' });
    expect(await schemas()).toEqual(['site_default', 'site_doomed']);
    await test.adminService.deletions.purge('doomed');
    expect(await schemas()).toEqual(['site_default']);
    expect(await store.stat('doomed/file')).toBeUndefined();
    expect(await store.stat('default/file')).toBeDefined();
    await expect(test.adminService.deletions.purge('doomed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('limit the site default to its own hosts once a second site exists, and its links lead there', async () => {
    const running = await test.start(apiTargets);
    const statusAt = async (host: string) =>
      (await request(`http://127.0.0.1:${running.port}/_cms/api/auth/mode`, { headers: { host } }))
        .statusCode;
    await test.run('tenant create', { host: ['doomed.example'] }, ['doomed']);
    const { PORT } = test.environment;
    const ownHosts = [`127.0.0.1:${PORT}`, `[::1]:${PORT}`, `localhost:${PORT}`];
    expect((await test.run('tenant hosts', {}, ['default'])).split('\n')).toEqual(ownHosts);
    for (const host of ownHosts) expect([host, await statusAt(host)]).toEqual([host, 200]);
    await eventuallyPasses(
      () => statusAt('own.example'),
      (status) => expect(status).toBe(404),
    );
    expect(await test.run('tenant add-host', { host: ['own.example'] }, ['default'])).toBe(
      `The tenant default answers at ${[...ownHosts, 'own.example'].join(', ')}`,
    );
    await eventuallyPasses(
      () => statusAt('own.example'),
      (status) => expect(status).toBe(200),
    );
    await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    const link = new URL(await test.adminService.createLoginLink({ tenant: 'default' }));
    expect(link.host).toBe(`own.example:${test.environment.PORT}`);
    expect(await test.run('tenant remove-host', { host: 'own.example' }, ['default'])).toBe(
      `The tenant default answers at ${ownHosts.join(', ')}`,
    );
    const gone = test.run('tenant remove-host', { host: 'own.example' }, ['default']);
    await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await test.adminService.deletions.purge('doomed');
    await running.stop();
  });

  it('report that the site default has no host after another site gets its host', async () => {
    const given = { ...test.environment, CMS_PUBLIC_URL: 'https://own.example' };
    const elsewhere = new AppContainer(given, { defaultLocale: 'en' }, ['spec']);
    const deps = { adminService: new AdminService(elsewhere), installation: elsewhere };
    expect(await test.run('tenant create', { host: ['own.example'] }, ['doomed'], deps)).toContain(
      'give it a host by "tenant add-host default --host HOST"',
    );
    await deps.adminService.deletions.purge('doomed');
    await elsewhere.lifecycle.stop();
    expect(await test.run('tenant create', { host: ['doomed.example'] }, ['doomed'])).toMatch(
      /^Created the tenant doomed for doomed\.example\nThe tenant default answers at .+\nSet it up: http:\/\/doomed\.example(?::\d+)?\/_cms\/admin\/setup\?token=[\w-]{43}$/,
    );
    await test.adminService.deletions.purge('doomed');
  });

  it('repeat an interrupted deletion', async () => {
    await test.adminService.tenants.create(tenant, ['doomed.example']);
    const sql = await test.installation.registryTables();
    await sql.transaction((tx) => beginPurge(tx, 'doomed', 'any'));
    await test.adminService.deletions.purge('doomed');
    expect(await schemas()).toEqual(['site_default']);
  });

  it('apply no migration when all tenants are up to date', async () => {
    expect(await test.adminService.migrate()).toEqual({
      applied: 0,
      tenants: 1,
      unavailable: [],
      failures: [],
    });
  });

  it.each([
    ['role', { role: 'owner', scopes: [] }, '--role must be one of'],
    ['scope', { role: 'admin', scopes: ['everything'] }, '--scope: there is no scope everything'],
    ['address', { role: 'admin', scopes: [], email: 'nobody' }, 'email: is not an e-mail address'],
  ])('reject a token for an unknown %s', async (_, options, message) => {
    await expect(test.adminService.createToken({ tenant: 'default', ...options })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(message),
    });
  });
});
