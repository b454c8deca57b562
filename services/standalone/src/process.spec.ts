import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  checkSiteConfig,
  ConfigurationError,
  edgeAccess,
  loadEnvironment,
  type Environment,
  type SiteConfig,
} from '@quire/config';
import { eventuallyPasses, testStores } from '@quire/testing';
import pg from 'pg';
import { request } from 'undici';
import { Administration } from './administration.js';
import { commands } from './commands/commands.js';
import { Installation } from './installation.js';
import { startProcess, type RunningProcess, type Target } from './process.js';

const name = `spec_process_${process.pid}`;
let dataDir: string;
let environment: Environment;
let installation: Installation;
let administration: Administration;

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testStores().databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  await onServer(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(testStores().databaseUrl), { pathname: `/${name}` });
  dataDir = await mkdtemp(join(tmpdir(), 'quire-process-'));
  environment = {
    ...loadEnvironment(),
    CMS_DATA_DIR: dataDir,
    DATABASE_URL: url.href,
    CMS_LOG_LEVEL: 'silent',
  };
  installation = new Installation(environment, { defaultLocale: 'en' }, ['spec']);
  administration = new Administration(installation);
  await administration.migrate();
}, 30_000);
afterAll(async () => {
  await installation.lifecycle.stop();
  await rm(dataDir, { recursive: true, force: true });
  await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
});

const start = (
  targets: Target[],
  site: SiteConfig = { defaultLocale: 'en' },
  changes: Partial<Environment> = {},
) => startProcess({ targets, environment: { ...environment, ...changes }, site, port: 0 });

/** Asks the API of a running process as an administrator. */
function clientOf({ port }: RunningProcess, token: string) {
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/_cms/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const parsed = (await answer.json()) as {
      data?: { item: { locale: string } };
      error?: { message: string };
    };
    return { status: answer.status, ...parsed };
  };
}

describe('a site whose configuration names its locales (contract 2)', () => {
  let running: RunningProcess;
  let ask: ReturnType<typeof clientOf>;
  beforeAll(async () => {
    running = await start(['gateway', 'auth', 'content', 'media', 'search'], {
      locales: ['de', 'pt-BR'],
      defaultLocale: 'de',
    });
    ask = clientOf(
      running,
      await administration.createToken({ tenant: 'default', role: 'admin', scopes: [] }),
    );
    await ask('POST', '/schema/collections', { slug: 'posts', label: 'Posts' });
  }, 30_000);
  afterAll(() => running.stop());

  it('makes entries in the default one, or in the one that is named, in its spelling', async () => {
    expect((await ask('POST', '/content/posts', { data: {} })).data?.item.locale).toBe('de');
    expect((await ask('POST', '/content/posts', { data: {}, locale: 'PT-br' })).data?.item.locale).toBe(
      'pt-BR',
    );
  });

  it('refuses others where something is made, and finds nothing by them', async () => {
    const { status, error } = await ask('POST', '/content/posts', { data: {}, locale: 'en' });
    const refusal = "locale: must be one of the site's locales: de, pt-BR";
    expect([status, error?.message]).toEqual([400, refusal]);
    const listed = await ask('GET', '/content/posts?locale=en');
    expect([listed.status, listed.data]).toEqual([200, { items: [], total: 0 }]);
  });
});

describe('a preview link', () => {
  it('is checked by the key that an operator is given, which lasts', async () => {
    const secret = { CMS_INTERNAL_SECRET: 'the secret that all targets have in common' };
    const running = await start(
      ['gateway', 'auth', 'content', 'media', 'search'],
      { defaultLocale: 'en' },
      secret,
    );
    const token = await administration.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    const ask = clientOf(running, token);
    await ask('POST', '/schema/collections', { slug: 'previewed', label: 'Previewed' });
    const entry = (await ask('POST', '/content/previewed', { data: {} })).data?.item as { id?: string };
    const made = await ask('POST', `/content/previewed/${entry.id}/preview-url`);
    await running.stop();

    const { url } = made.data as unknown as { url: string };
    const [payload = '', mac] = (
      new URL(url, 'http://site.example').searchParams.get('_preview') ?? ''
    ).split('.');
    const operator = new Installation({ ...environment, ...secret }, { defaultLocale: 'en' }, ['spec']);
    const key = await new Administration(operator).previewKey('default');
    await operator.lifecycle.stop();
    expect(mac).toBe(createHmac('sha256', key).update(payload).digest('base64url'));
  });

  it('has no key that lasts where the installation has no secret', async () => {
    const withoutSecret = new Installation(
      { ...environment, CMS_INTERNAL_SECRET: undefined },
      { defaultLocale: 'en' },
      ['spec'],
    );
    await expect(new Administration(withoutSecret).previewKey('default')).rejects.toThrow(
      'CMS_INTERNAL_SECRET is not set',
    );
    await withoutSecret.lifecycle.stop();
  });
});

describe('a login link that an operator makes', () => {
  it('signs the user in once, without mail and passkey', async () => {
    const running = await start(['gateway', 'auth', 'content', 'media', 'search']);
    await administration.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    const { origin, pathname, searchParams } = new URL(
      await administration.createLoginLink({ tenant: 'default' }),
    );
    expect(origin).toBe(`http://localhost:${environment.PORT}`);
    const follow = () =>
      request(`http://127.0.0.1:${running.port}${pathname}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: searchParams.get('token') }),
      });
    const { statusCode, headers } = await follow();
    expect([statusCode, headers.location]).toEqual([303, '/_cms/admin']);
    expect(String(headers['set-cookie'])).toMatch(/cms_session=[\w-]{43};/);
    expect((await follow()).headers.location).toBe('/_cms/admin/login?error=invalid_link');
    await running.stop();

    // The session is in the database: it outlives the process.
    const again = await start(['gateway', 'auth', 'content', 'media', 'search']);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const me = await request(`http://127.0.0.1:${again.port}/_cms/api/auth/me`, { headers: { cookie } });
    expect([me.statusCode, await me.body.json()]).toMatchObject([200, { data: { role: 50 } }]);
    await again.stop();
  });

  it('is made for nobody who is no user, and not behind an edge access proxy', async () => {
    const nobody = administration.createLoginLink({ tenant: 'default', email: 'nobody@site.example' });
    await expect(nobody).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const auth = edgeAccess({ teamDomain: 'team.example', audience: 'site' });
    const site = checkSiteConfig({ auth }, 'spec');
    const behindProxy = new Installation(environment, site, ['spec']);
    await expect(new Administration(behindProxy).createLoginLink({ tenant: 'default' })).rejects.toThrow(
      ConfigurationError,
    );
    await behindProxy.lifecycle.stop();
  });
});

describe('where clients are told that the site is', () => {
  const issuerFor = async (host: string, changes: Partial<Environment>) => {
    const running = await start(['gateway', 'auth', 'content', 'media', 'search'], undefined, changes);
    const path = '/.well-known/oauth-authorization-server/_cms';
    const answer = await request(`http://127.0.0.1:${running.port}${path}`, { headers: { host } });
    const { issuer } = (await answer.body.json()) as { issuer: string };
    await running.stop();
    return issuer;
  };

  it('is what the operator says, whatever host a request makes up', async () => {
    const changes = { CMS_PUBLIC_URL: 'https://site.example' };
    expect(await issuerFor('elsewhere.example', changes)).toBe('https://site.example/_cms');
  });

  it('is the host of the request while the operator says nothing', async () => {
    expect(await issuerFor('127.0.0.1:4321', {})).toBe('http://127.0.0.1:4321/_cms');
  });
});

describe('a process', () => {
  it('is gone when it has stopped: its port is free and it does not answer', async () => {
    const running = await start(['gateway', 'auth', 'content', 'media', 'search']);
    const health = `http://127.0.0.1:${running.port}/healthz`;
    expect((await fetch(health)).status).toBe(200);
    await running.stop();
    await expect(fetch(health)).rejects.toThrow('fetch failed');
  });

  it.each<[string, Target[], Partial<Environment>, string]>([
    ['does not know where its neighbour is', ['gateway', 'auth'], {}, 'CONTENT_URL is not set'],
    [
      'has no secret in common with its neighbour',
      ['gateway', 'auth'],
      { CONTENT_URL: 'http://127.0.0.1:1' },
      'CMS_INTERNAL_SECRET is not set',
    ],
    ['has no database', ['auth'], { DATABASE_URL: undefined }, 'DATABASE_URL is not set'],
  ])(
    'that %s says which variable to set, and leaves nothing running',
    async (_, targets, changes, message) => {
      await expect(start(targets, undefined, changes)).rejects.toThrow(message);
    },
  );

  it('that stands beside an edge access proxy and knows no audience says how to give it', async () => {
    const auth = edgeAccess({ teamDomain: 'team.example.com', audienceEnvVar: 'NOT_SET' });
    const site = checkSiteConfig({ auth }, 'cms.config.mjs');
    await expect(start(['gateway', 'auth', 'content', 'media', 'search'], site)).rejects.toThrow(
      'auth.audience is not configured: give it, or set NOT_SET',
    );
  });

  it('that finds its port taken says what to do', async () => {
    const running = await start(['auth']);
    const again = startProcess({
      targets: ['auth'],
      environment,
      site: { defaultLocale: 'en' },
      port: running.port,
    });
    await expect(again).rejects.toThrow(`Port ${running.port} is taken`);
    await running.stop();
  });
});

/** Runs a command of `cms`. @returns what it says */
function run(command: string, values: Record<string, string | string[]>, positionals: string[]) {
  const found = commands.find(({ name }) => name === command);
  if (!found) throw new Error(`There is no command ${command}`);
  return found.run({ administration, installation }, values, positionals);
}

describe('the administration of tenants', () => {
  const tenant = { id: 'doomed', database: null };
  const schemas = async () => {
    const databases = await installation.registryDatabases();
    const rows = await databases
      .inSchema('pg_catalog')
      .query<{ name: string }>("SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'site_%'");
    return rows.map(({ name }) => name).sort();
  };

  it('makes and deletes one with all its tables and objects', async () => {
    await administration.createTenant(tenant, ['doomed.example']);
    const store = await installation.objectStore();
    for (const key of ['doomed/file', 'default/file'])
      await store.put(key, Readable.from([Buffer.from('text')]), { contentType: 'text/plain' });
    expect(await schemas()).toEqual(['site_default', 'site_doomed']);
    await administration.deleteTenant('doomed');
    expect(await schemas()).toEqual(['site_default']);
    expect(await store.stat('doomed/file')).toBeUndefined();
    expect(await store.stat('default/file')).toBeDefined();
    await expect(administration.deleteTenant('doomed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has the first site answer at its own hosts when there is a second one, and its links lead there', async () => {
    const running = await start(['gateway', 'auth', 'content', 'media', 'search']);
    const statusAt = async (host: string) =>
      (await request(`http://127.0.0.1:${running.port}/_cms/api/auth/mode`, { headers: { host } }))
        .statusCode;
    await run('tenant create', { host: ['doomed.example'] }, ['doomed']);
    expect(await run('tenant hosts', {}, ['default'])).toBe('');
    await eventuallyPasses(
      () => statusAt('own.example'),
      (status) => expect(status).toBe(404),
    );
    expect(await run('tenant add-host', { host: ['own.example'] }, ['default'])).toBe(
      'The tenant default answers at own.example',
    );
    await eventuallyPasses(
      () => statusAt('own.example'),
      (status) => expect(status).toBe(200),
    );
    await administration.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    const link = new URL(await administration.createLoginLink({ tenant: 'default' }));
    expect(link.host).toBe(`own.example:${environment.PORT}`);
    expect(await run('tenant remove-host', { host: 'own.example' }, ['default'])).toBe(
      'The tenant default answers at no host',
    );
    const gone = run('tenant remove-host', { host: 'own.example' }, ['default']);
    await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await administration.deleteTenant('doomed');
    await running.stop();
  });

  it('says that the first site answers nowhere from now on, where that is so', async () => {
    expect(await run('tenant create', { host: ['doomed.example'] }, ['doomed'])).toContain(
      'give it one by "tenant add-host default --host HOST"',
    );
    await run('tenant add-host', { host: ['own.example'] }, ['default']);
    await administration.deleteTenant('doomed');
    expect(await run('tenant create', { host: ['doomed.example'] }, ['doomed'])).toBe(
      'Created the tenant doomed for doomed.example',
    );
    await administration.deleteTenant('doomed');
    await run('tenant remove-host', { host: 'own.example' }, ['default']);
  });

  it('can be told again to delete what it did not finish', async () => {
    await administration.createTenant(tenant, ['doomed.example']);
    const registry = await installation.registry();
    await registry.removeHosts('doomed');
    await administration.deleteTenant('doomed');
    expect(await schemas()).toEqual(['site_default']);
  });

  it('changes nothing when everything is up to date', async () => {
    expect(await administration.migrate()).toEqual({ applied: 0, tenants: 1 });
  });

  it.each([
    ['role', { role: 'owner', scopes: [] }, '--role must be one of'],
    ['scope', { role: 'admin', scopes: ['everything'] }, '--scope: there is no scope everything'],
    ['address', { role: 'admin', scopes: [], email: 'nobody' }, 'email: is not an e-mail address'],
  ])('refuses a token for an unknown %s', async (_, options, message) => {
    await expect(administration.createToken({ tenant: 'default', ...options })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(message),
    });
  });
});
