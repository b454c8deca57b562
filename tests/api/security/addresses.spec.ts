import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, outcome, PageBrowser, type Site } from '@quire/testing';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const paths = ['/auth/passkey/options', '/auth/magic-link/send', '/auth/signup/request', '/auth/invite'];

describe('what is no e-mail address (decision 31)', () => {
  it.each(paths)('is told to who sends it to %s, and nothing is sent', async (path) => {
    const admin = await site.as('admin');
    for (const email of [
      'a\0@b.example',
      'a@b.example\u200b',
      '<a>@b.example',
      'a@b..example',
      'a@[127.0.0.1]',
    ])
      expect([email, ...outcome(await admin.post(path, { email }))]).toEqual([
        email,
        400,
        'VALIDATION_ERROR',
      ]);
  });

  it('is told on the login page, which stays', async () => {
    const browser = new PageBrowser(site);
    await browser.open('/_cms/admin/login');
    const answer = await browser.send({ email: 'a\0@b.example' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });
});

it('a NUL is no part of the code of a device', async () => {
  const { session } = await site.signedIn('editor');
  const browser = new PageBrowser(site, session);
  await browser.open('/_cms/admin/device');
  expect((await browser.send({ user_code: '\0' })).status).toBe(400);
});

it('two spellings of a domain are one address: who has an account gets no second one', async () => {
  await site.sql(
    "INSERT INTO allowed_domains (domain, default_role, enabled) VALUES ('open.example', 20, true)",
  );
  await site.sql("INSERT INTO users (id, email, role) VALUES ('there', 'there@open.example', 10)");
  const invite = await (await site.as('admin')).post('/auth/invite', { email: 'THERE@ｏｐｅｎ.example' });
  expect(outcome(invite)).toEqual([409, 'USER_EXISTS']);
});
