import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const path = '/admin/allowed-domains';

describe('/admin/allowed-domains', () => {
  it.each([50, '50'])('returns 400 VALIDATION_ERROR for the default role %j', async (defaultRole) => {
    const created = await admin.post(path, { domain: 'new.example', defaultRole });
    expect([...statusAndCode(created), issuePaths(created)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['defaultRole'],
    ]);
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

  it('creates editors for a stored admin role', async () => {
    await site.sql("INSERT INTO allowed_domains (domain, default_role) VALUES ('old.example', 50)");
    const email = `ann-${site.tenant}@old.example`;
    await site.anonymous().post('/auth/signup/request', { email });
    const [mail] = await site.mailsTo(email);
    const token = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
    const response = await site.anonymous().get(`/auth/signup/verify?token=${token}`);
    expect(response.data).toEqual({ success: true, email, role: 40, roleName: 'EDITOR' });
  });
});
