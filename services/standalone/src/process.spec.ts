import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkSiteConfig, edgeAccess, type Environment } from '@quire/config';
import { apiTargets, workerTargets, type Target } from '@quire/topology';
import { request } from 'undici';
import { startProcess, type RunningProcess } from './process.js';
import { clientOf, openInstallation, type TestInstallation } from './installation.fixture.js';

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('process');
});
afterAll(() => test.close());

describe('a site with configured locales (contract 2)', () => {
  let running: RunningProcess;
  let call: ReturnType<typeof clientOf>;
  beforeAll(async () => {
    running = await test.start(apiTargets, {
      locales: ['de', 'pt-BR'],
      defaultLocale: 'de',
    });
    call = clientOf(
      running,
      await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] }),
    );
    await call('POST', '/schema/collections', { slug: 'posts', label: 'Posts' });
  });
  afterAll(() => running.stop());

  it('creates entries in the default locale, or in the given one with the configured spelling', async () => {
    expect((await call('POST', '/content/posts', { data: {} })).data?.item.locale).toBe('de');
    expect((await call('POST', '/content/posts', { data: {}, locale: 'PT-br' })).data?.item.locale).toBe(
      'pt-BR',
    );
  });

  it('rejects other locales on creation, and lists nothing for them', async () => {
    const { status, error } = await call('POST', '/content/posts', { data: {}, locale: 'en' });
    const message = "locale: must be one of the site's locales: de, pt-BR";
    expect([status, error?.message]).toEqual([400, message]);
    const listed = await call('GET', '/content/posts?locale=en');
    expect([listed.status, listed.data]).toEqual([200, { items: [], total: 0 }]);
  });
});

describe('public origin of a site', () => {
  const issuerFor = async (host: string, changes: Partial<Environment>) => {
    const running = await test.start(apiTargets, undefined, changes);
    const path = '/.well-known/oauth-authorization-server/_cms';
    const response = await request(`http://127.0.0.1:${running.port}${path}`, { headers: { host } });
    const { issuer } = (await response.body.json()) as { issuer: string };
    await running.stop();
    return issuer;
  };

  it('is CMS_PUBLIC_URL for any Host header', async () => {
    const changes = { CMS_PUBLIC_URL: 'https://site.example' };
    expect(await issuerFor('elsewhere.example', changes)).toBe('https://site.example/_cms');
  });

  it('is the Host header without CMS_PUBLIC_URL', async () => {
    expect(await issuerFor('127.0.0.1:4321', {})).toBe('http://127.0.0.1:4321/_cms');
  });
});

describe('a process', () => {
  it('frees its port when it has stopped', async () => {
    const running = await test.start(apiTargets);
    const health = `http://127.0.0.1:${running.port}/healthz`;
    expect((await fetch(health)).status).toBe(200);
    await running.stop();
    await expect(fetch(health)).rejects.toThrow('fetch failed');
  });

  it.each<[string, Target[], Partial<Environment>, string]>([
    ['without the address of another service', ['gateway', 'auth'], {}, 'CONTENT_URL is not set'],
    [
      'without a secret shared with another service',
      ['gateway', 'auth'],
      { CONTENT_URL: 'http://127.0.0.1:1' },
      'CMS_INTERNAL_SECRET is not set',
    ],
    ['without a database', ['auth'], { DATABASE_URL: undefined }, 'DATABASE_URL is not set'],
  ])('%s fails to start and names the variable to set', async (_, targets, changes, message) => {
    await expect(test.start(targets, undefined, changes)).rejects.toThrow(message);
  });

  it('fails to start behind an edge access proxy without an audience', async () => {
    const auth = edgeAccess({ teamDomain: 'team.example.com', audienceEnvVar: 'NOT_SET' });
    const site = checkSiteConfig({ auth }, 'cms.config.mjs');
    await expect(test.start(apiTargets, site)).rejects.toThrow(
      'auth.audience is not set: set it in the site configuration, or set NOT_SET',
    );
  });

  it('with a gateway serves the admin pages itself unless ADMIN_URL is set', async () => {
    const running = await test.start(apiTargets.filter((target) => target !== 'admin'));
    const response = await fetch(`http://127.0.0.1:${running.port}/_cms/admin`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    await running.stop();
  });

  it('of workers alone listens at the address of operators only, and one with a service at all', async () => {
    const reachable = async ({ port }: RunningProcess, address: string) =>
      fetch(`http://${address}:${port}/healthz`).then(
        ({ status }) => status,
        () => 'unreachable',
      );
    const worker = await test.start(['content-worker']);
    const service = await test.start(['admin']);
    expect([await reachable(worker, '127.0.0.1'), await reachable(worker, '127.0.0.2')]).toEqual([
      200,
      'unreachable',
    ]);
    expect([await reachable(service, '127.0.0.1'), await reachable(service, '127.0.0.2')]).toEqual([
      200, 200,
    ]);
    await worker.stop();
    await service.stop();
  });

  it('serves readiness and metrics on the operations port alone, if it has the gateway', async () => {
    const running = await test.start(apiTargets);
    const statusOf = async (port: number, path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(running.opsPort).not.toBe(running.port);
    for (const path of ['/readyz', '/metrics'])
      expect([await statusOf(running.port, path), await statusOf(running.opsPort, path)]).toEqual([404, 200]);
    await running.stop();
  });

  it('can run services and their workers', async () => {
    const running = await test.start([...apiTargets, ...workerTargets]);
    expect((await fetch(`http://127.0.0.1:${running.opsPort}/readyz`)).status).toBe(200);
    await running.stop();
  });

  it('is ready with the admin service without a database', async () => {
    const running = await test.start(['admin'], undefined, { DATABASE_URL: undefined });
    const origin = `http://127.0.0.1:${running.port}`;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const withoutToken = await fetch(`${origin}/_cms/admin/assets/1/styles.css`);
    expect([withoutToken.status, withoutToken.headers.get('content-type')]).toEqual([
      401,
      'text/html; charset=utf-8',
    ]);
    await running.stop();
  });

  it('fails to start when its port is in use', async () => {
    const running = await test.start(['auth']);
    const again = startProcess({
      targets: ['auth'],
      environment: test.environment,
      site: { defaultLocale: 'en' },
      port: running.port,
    });
    await expect(again).rejects.toThrow(`Port ${running.port} is taken`);
    await running.stop();
  });
});
