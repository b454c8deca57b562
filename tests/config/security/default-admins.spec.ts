import { describe, expect, it } from '@jest/globals';
import { checkSiteConfig, edgeAccess } from '@quire/config';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();

describe('allowAdminDefaultRole', () => {
  it('allows the default role admin for an allowed domain', async () => {
    const origin = await testEnvironment.start({ site: { allowAdminDefaultRole: true } });
    const admin = await testEnvironment.client(origin, await testEnvironment.newSite(), 'admin');
    const response = await admin.post('/admin/allowed-domains', { domain: 'own.example', defaultRole: 50 });
    expect([response.status, response.data.domain.defaultRole]).toEqual([201, 50]);
    await testEnvironment.stopAllExcept();
  });

  it('is required for edge access with the default role admin', () => {
    const options = (auth: object) => ({ auth: edgeAccess({ teamDomain: 'team.example', ...auth }) });
    const check = (input: object) => () => checkSiteConfig(input, 'cms.config.mjs');
    expect(check(options({ defaultRole: 50 }))).toThrow(/^cms\.config\.mjs: auth\.defaultRole: /);
    expect(check({ ...options({ defaultRole: 50 }), allowAdminDefaultRole: true })).not.toThrow();
    expect(check(options({ defaultRole: 40, roleMapping: { Admins: 50 } }))).not.toThrow();
  });
});
