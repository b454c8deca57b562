import { describe, expect, it } from '@jest/globals';
import { PageBrowser, statusAndCode, useSite } from '@quire/testing';

const site = useSite();

const paths = ['/auth/passkey/options', '/auth/magic-link/send', '/auth/signup/request', '/auth/invite'];

describe('invalid e-mail address (decision 31)', () => {
  it.each(paths)('is rejected by POST %s', async (path) => {
    const admin = await site.as('admin');
    for (const email of [
      'a\0@b.example',
      'a@b.example\u200b',
      '<a>@b.example',
      'a@b..example',
      'a@[127.0.0.1]',
    ])
      expect([email, ...statusAndCode(await admin.post(path, { email }))]).toEqual([
        email,
        400,
        'VALIDATION_ERROR',
      ]);
  });

  it('is reported on the login page', async () => {
    const browser = new PageBrowser(site);
    await browser.open('/_cms/admin/login');
    const response = await browser.send({ email: 'a\0@b.example' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
  });
});

it('rejects a NUL in a device code', async () => {
  const { session } = await site.signedIn('editor');
  const browser = new PageBrowser(site, session);
  await browser.open('/_cms/admin/device');
  expect((await browser.send({ user_code: '\0' })).status).toBe(400);
});

it('treats two spellings of a domain as one address', async () => {
  await site.sql(
    "INSERT INTO allowed_domains (domain, default_role, enabled) VALUES ('open.example', 20, true)",
  );
  await site.sql("INSERT INTO users (id, email, role) VALUES ('there', 'there@open.example', 10)");
  const invite = await (await site.as('admin')).post('/auth/invite', { email: 'THERE@ｏｐｅｎ.example' });
  expect(statusAndCode(invite)).toEqual([409, 'USER_EXISTS']);
});
