import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outcome, type Client, type Site } from '@quire/testing';
import { closeLabs, Lab } from './lab/lab.js';

let site: Site;
let admin: Client;

beforeAll(async () => {
  const lab = await Lab.open({ arrangement: 'workerless' });
  site = await lab.openSite();
  admin = await site.as('admin');
});
afterAll(closeLabs);

describe('an installation without a mail server (contract 28)', () => {
  it('hands the link of an invitation to the administrator', async () => {
    const { data } = await admin.post('/auth/invite', { email: 'ann@site.example', role: 20 });
    expect(data.inviteUrl).toMatch(
      new RegExp(`^http://${site.host}/_cms/admin/invite/accept\\?token=[\\w-]{43}$`),
    );
    const token = new URL(data.inviteUrl as string).searchParams.get('token');
    const answer = await site.anonymous().get(`/auth/invite/accept?token=${token}`);
    expect(answer.data).toMatchObject({ email: 'ann@site.example', role: 20 });
  });

  it('says so to whoever asks for a link', async () => {
    const email = `admin@${site.tenant}.example`;
    for (const path of ['/auth/magic-link/send', '/auth/signup/request'])
      expect(outcome(await site.anonymous().post(path, { email }))).toEqual([503, 'EMAIL_NOT_CONFIGURED']);
    const [user] = await site.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    expect(outcome(await admin.post(`/admin/users/${user?.id}/send-recovery`))).toEqual([
      503,
      'EMAIL_NOT_CONFIGURED',
    ]);
  });
});
