import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@quire/testing';
import { ConfigTestEnvironment } from '../support/config-test-environment.js';

let testEnvironment: ConfigTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ConfigTestEnvironment.open();
}, 60_000);
afterAll(() => testEnvironment.close());

const named = { title: 'My site', includeContent: false };

describe('CMS_SETUP', () => {
  it('open leaves the setup of a site without users to anybody', async () => {
    const origin = await testEnvironment.start({ environment: { CMS_SETUP: 'open' } });
    const visitor = createClient({ origin }, await testEnvironment.newSite());
    expect((await visitor.get('/setup/status')).data).toMatchObject({ needsSetup: true, needsLink: false });
    expect((await visitor.get('/_cms/admin/setup')).status).toBe(200);
    expect((await visitor.post('/setup', named)).status).toBe(200);
    expect((await visitor.post('/setup/admin', { email: 'ann@site.example' })).status).toBe(200);
    await testEnvironment.stopAllExcept();
  }, 60_000);

  it('left out asks for the link, also where targets run apart', async () => {
    const origin = await testEnvironment.startApart();
    const { host, setupLink } = await testEnvironment.newSite();
    const visitor = createClient({ origin }, { host });
    expect((await visitor.get('/setup/status')).data).toMatchObject({ needsSetup: true, needsLink: true });
    expect((await visitor.post('/setup/admin', { email: 'eve@site.example' })).status).toBe(403);
    const cookie = `cms_setup_link=${new URL(setupLink).searchParams.get('token')}`;
    const headers = { cookie };
    expect((await visitor.post('/setup/admin', { email: 'ann@site.example' }, { headers })).status).toBe(200);
    await testEnvironment.stopAllExcept();
  }, 60_000);
});
