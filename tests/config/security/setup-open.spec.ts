import { describe, expect, it } from '@jest/globals';
import { createClient } from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();

const siteInput = { title: 'My site', includeContent: false };

describe('CMS_SETUP', () => {
  it('open allows the setup of a site without users without a link', async () => {
    const origin = await testEnvironment.start({ environment: { CMS_SETUP: 'open' } });
    const visitor = createClient({ origin }, await testEnvironment.newSite());
    expect((await visitor.get('/setup/status')).data).toMatchObject({ needsSetup: true, needsLink: false });
    expect((await visitor.get('/_cms/admin/setup')).status).toBe(200);
    expect((await visitor.post('/setup', siteInput)).status).toBe(200);
    expect((await visitor.post('/setup/admin', { email: 'ann@site.example' })).status).toBe(200);
    await testEnvironment.stopAllExcept();
  });

  it('unset requires the link, also with separate processes', async () => {
    const origin = await testEnvironment.startDistributed();
    const { host, setupLink } = await testEnvironment.newSite();
    const visitor = createClient({ origin }, { host });
    expect((await visitor.get('/setup/status')).data).toMatchObject({ needsSetup: true, needsLink: true });
    expect((await visitor.post('/setup/admin', { email: 'eve@site.example' })).status).toBe(403);
    const cookie = `cms_setup_link=${new URL(setupLink).searchParams.get('token')}`;
    const headers = { cookie };
    expect((await visitor.post('/setup/admin', { email: 'ann@site.example' }, { headers })).status).toBe(200);
    await testEnvironment.stopAllExcept();
  });
});
