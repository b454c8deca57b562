import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkSiteConfig, ConfigurationError, edgeAccess, type Environment } from '@quire/config';
import { apiTargets } from '@quire/topology';
import { request } from 'undici';
import { AdminService } from './admin-service.js';
import { AppContainer } from './app-container.js';
import { clientOf, openInstallation, type TestInstallation } from './installation.fixture.js';
import { sharedSecret } from './local-worker.fixture.js';

let test: TestInstallation;
beforeAll(async () => {
  test = await openInstallation('links');
});
afterAll(() => test.close());

describe('a preview link', () => {
  it('is verified with the key of cms preview-key, which does not change between starts', async () => {
    const secret = sharedSecret;
    const running = await test.start(apiTargets, { defaultLocale: 'en' }, secret);
    const token = await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    const call = clientOf(running, token);
    await call('POST', '/schema/collections', { slug: 'previewed', label: 'Previewed' });
    const entry = (await call('POST', '/content/previewed', { data: {} })).data?.item as { id?: string };
    const made = await call('POST', `/content/previewed/${entry.id}/preview-url`);
    await running.stop();

    const { url } = made.data as unknown as { url: string };
    const [payload = '', mac] = (
      new URL(url, 'http://site.example').searchParams.get('_preview') ?? ''
    ).split('.');
    const operator = new AppContainer({ ...test.environment, ...secret }, { defaultLocale: 'en' }, ['spec']);
    const key = await new AdminService(operator).previewKey('default');
    await operator.lifecycle.stop();
    expect(mac).toBe(createHmac('sha256', key).update(payload).digest('base64url'));
  });

  it('has another key after a rotation, and after the deletion of its site', async () => {
    const secret = sharedSecret;
    const operator = new AppContainer({ ...test.environment, ...secret }, { defaultLocale: 'en' }, ['spec']);
    const by = new AdminService(operator);
    const keys = [await by.previewKey('default'), await by.previewKey('default', { rotates: true })];
    expect(await by.previewKey('default')).toBe(keys[1]);
    for (let made = 1; made <= 2; made += 1) {
      await by.tenants.create({ id: 'again', database: null }, ['again.example']);
      keys.push(await by.previewKey('again'));
      await by.deletions.purge('again');
    }
    await operator.lifecycle.stop();
    expect(new Set(keys).size).toBe(4);
  });

  it('keeps its key while CMS_INTERNAL_SECRET is replaced, with a CMS_PREVIEW_SECRET', async () => {
    const keyWith = async (secrets: Partial<Environment>) => {
      const container = new AppContainer({ ...test.environment, ...secrets }, { defaultLocale: 'en' }, [
        'spec',
      ]);
      const key = await new AdminService(container).previewKey('default');
      await container.lifecycle.stop();
      return key;
    };
    const [old] = sharedSecret.CMS_INTERNAL_SECRET;
    const next = 'the secret that takes the place of the first';
    const before = await keyWith(sharedSecret);
    expect(await keyWith({ CMS_INTERNAL_SECRET: [next, old] })).not.toBe(before);
    expect(await keyWith({ CMS_INTERNAL_SECRET: [next], CMS_PREVIEW_SECRET: old })).toBe(before);
  });

  it('has no printable key without CMS_INTERNAL_SECRET', async () => {
    const withoutSecret = new AppContainer(
      { ...test.environment, CMS_INTERNAL_SECRET: undefined },
      { defaultLocale: 'en' },
      ['spec'],
    );
    await expect(new AdminService(withoutSecret).previewKey('default')).rejects.toThrow(
      'CMS_INTERNAL_SECRET is not set',
    );
    await withoutSecret.lifecycle.stop();
  });
});

describe('a login link of the command line', () => {
  it('signs the user in once, without mail and passkey', async () => {
    const running = await test.start(apiTargets);
    await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
    const { origin, pathname, searchParams } = new URL(
      await test.adminService.createLoginLink({ tenant: 'default' }),
    );
    expect(origin).toBe(`http://localhost:${test.environment.PORT}`);
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
    const again = await test.start(apiTargets);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const me = await request(`http://127.0.0.1:${again.port}/_cms/api/auth/me`, { headers: { cookie } });
    expect([me.statusCode, await me.body.json()]).toMatchObject([200, { data: { role: 50 } }]);
    await again.stop();
  });

  it('is not created for an unknown user, nor behind an edge access proxy', async () => {
    const forUnknown = test.adminService.createLoginLink({ tenant: 'default', email: 'nobody@site.example' });
    await expect(forUnknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const auth = edgeAccess({ teamDomain: 'team.example', audience: 'site' });
    const site = checkSiteConfig({ auth }, 'spec');
    const behindProxy = new AppContainer(test.environment, site, ['spec']);
    await expect(new AdminService(behindProxy).createLoginLink({ tenant: 'default' })).rejects.toThrow(
      ConfigurationError,
    );
    await behindProxy.lifecycle.stop();
  });
});
