import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkSiteConfig, edgeAccess } from '@quire/config';
import { ConfigTestEnvironment } from '../support/config-test-environment.js';

let testEnvironment: ConfigTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ConfigTestEnvironment.open();
}, 60_000);
afterAll(() => testEnvironment.close());

describe('allowAdminDefaultRole', () => {
  it('lets the people of an allowed domain become administrators', async () => {
    const origin = await testEnvironment.start({ site: { allowAdminDefaultRole: true } });
    const admin = await testEnvironment.client(origin, await testEnvironment.newSite(), 'admin');
    const answer = await admin.post('/admin/allowed-domains', { domain: 'own.example', defaultRole: 50 });
    expect([answer.status, answer.data.domain.defaultRole]).toEqual([201, 50]);
    await testEnvironment.stopAllExcept();
  }, 60_000);

  it('is what edge access with the default role of an administrator asks for', () => {
    const options = (auth: object) => ({ auth: edgeAccess({ teamDomain: 'team.example', ...auth }) });
    const check = (input: object) => () => checkSiteConfig(input, 'cms.config.mjs');
    expect(check(options({ defaultRole: 50 }))).toThrow(/^cms\.config\.mjs: auth\.defaultRole: /);
    expect(check({ ...options({ defaultRole: 50 }), allowAdminDefaultRole: true })).not.toThrow();
    expect(check(options({ defaultRole: 40, roleMapping: { Admins: 50 } }))).not.toThrow();
  });
});
