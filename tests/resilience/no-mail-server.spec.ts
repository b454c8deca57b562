import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, type Client, type Site } from '@quire/testing';
import { useTestEnvironment } from './support.js';

const testEnvironment = useTestEnvironment({ arrangement: 'no-workers' });
let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
});

describe('installation without a mail server (contract 28)', () => {
  it('returns the invitation link to the administrator', async () => {
    const { data } = await admin.post('/auth/invite', { email: 'ann@site.example', role: 20 });
    expect(data.inviteUrl).toMatch(
      new RegExp(`^http://${site.host}/_cms/admin/invite/accept\\?token=[\\w-]{43}$`),
    );
    const token = new URL(data.inviteUrl as string).searchParams.get('token');
    const response = await site.anonymous().get(`/auth/invite/accept?token=${token}`);
    expect(response.data).toMatchObject({ email: 'ann@site.example', role: 20 });
  });

  it('returns EMAIL_NOT_CONFIGURED when a link is requested', async () => {
    const email = `admin@${site.tenant}.example`;
    for (const path of ['/auth/magic-link/send', '/auth/signup/request'])
      expect(statusAndCode(await site.anonymous().post(path, { email }))).toEqual([
        503,
        'EMAIL_NOT_CONFIGURED',
      ]);
    const [user] = await site.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    expect(statusAndCode(await admin.post(`/admin/users/${user?.id}/send-recovery`))).toEqual([
      503,
      'EMAIL_NOT_CONFIGURED',
    ]);
  });
});
