import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterAll(() => site.close());

const path = '/admin/allowed-domains';

describe('an allowed domain', () => {
  it.each([50, '50'])('rejects the default role %j: VALIDATION_ERROR', async (defaultRole) => {
    const made = await admin.post(path, { domain: 'made.example', defaultRole });
    expect([...statusAndCode(made), issuePaths(made)]).toEqual([400, 'VALIDATION_ERROR', ['defaultRole']]);
    await admin.post(path, { domain: 'raised.example', defaultRole: 40 });
    for (const method of ['put', 'patch'] as const) {
      const raised = await admin[method](`${path}/raised.example`, { defaultRole });
      expect([...statusAndCode(raised), issuePaths(raised)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['defaultRole'],
      ]);
    }
    const { domains } = (await admin.get(path)).data;
    expect(domains).toMatchObject([{ domain: 'raised.example', defaultRole: 40 }]);
  });

  it('with a stored admin role creates an editor', async () => {
    await site.sql("INSERT INTO allowed_domains (domain, default_role) VALUES ('old.example', 50)");
    const email = `ann-${site.tenant}@old.example`;
    await site.anonymous().post('/auth/signup/request', { email });
    const [mail] = await site.mailsTo(email);
    const token = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
    const answer = await site.anonymous().get(`/auth/signup/verify?token=${token}`);
    expect(answer.data).toEqual({ success: true, email, role: 40, roleName: 'EDITOR' });
  });
});
