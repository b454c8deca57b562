import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PageBrowser, useSite, type Client } from '@quire/testing';
import { redirectOf } from './support.js';

const site = useSite();
let admin: Client;
let browser: PageBrowser;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(() => {
  browser = new PageBrowser(site);
});

const invite = '/_cms/admin/invite/accept';
const signup = '/_cms/admin/signup';

// Sites share the mail server, so each uses its own addresses.
const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const corp = () => `corp-${site.tenant}.example`;

/** Path of the link in the last mail to an address. */
async function linkTo(address: string): Promise<string> {
  const { pathname, search } = new URL((await site.mailsTo(address)).at(-1)?.link ?? '');
  return pathname + search;
}

async function inviteUser(address: string): Promise<string> {
  await admin.post('/auth/invite', { email: address, role: 30 });
  return linkTo(address);
}

describe('GET /_cms/admin/invite/accept (contract 28)', () => {
  it('shows the recipient with a form that needs a script, and does not consume the invitation', async () => {
    const path = await inviteUser(addressOf('bob'));
    for (const response of [await browser.open(path), await browser.open(path)]) {
      expect(response.status).toBe(200);
      expect(response.body).toContain(addressOf('bob'));
      expect(response.body).toContain('<dd>Author</dd>');
      expect(response.body).toMatch(/<button[^>]* disabled[^>]* hidden/);
    }
  });

  it.each([
    ['no token', '', 400, 'not complete'],
    ['an unknown token', '?token=x', 404, 'unknown'],
    ['a token with markup', `?token=${encodeURIComponent('"><script>')}`, 404, 'unknown'],
  ])('shows an error for %s', async (_, query, status, words) => {
    expect((await browser.open(invite + query)).status).toBe(status);
    expect(browser.page).toContain(words);
    expect(browser.page).not.toContain('<script');
  });

  it('shows an error when it has expired or the user exists', async () => {
    const [old, known] = [await inviteUser(addressOf('old')), await inviteUser(addressOf('known'))];
    await site.sql("UPDATE invites SET expires_at = now() - interval '1 hour' WHERE email = $1", [
      addressOf('old'),
    ]);
    expect((await browser.open(old)).status).toBe(410);
    expect(browser.page).toContain('Invitations are valid for 7 days');
    await site.another('editor', 'known');
    expect((await browser.open(known)).status).toBe(409);
    expect(browser.page).toContain('already');
  });
});

describe('/_cms/admin/signup (contract 28)', () => {
  it('shows no form while no domain is allowed', async () => {
    await browser.open(signup);
    expect(browser.page).toContain('only be joined by invitation');
    expect(browser.page).not.toContain('<form');
  });

  it('mails a link and returns the same page for all addresses', async () => {
    await admin.post('/admin/allowed-domains', { domain: corp(), defaultRole: 20 });
    for (const email of [addressOf('eve'), `ann@${corp()}`]) {
      await browser.open(signup);
      expect(redirectOf(await browser.send({ email }))).toEqual([303, `${signup}?sent=1`]);
    }
    await browser.open(await linkTo(`ann@${corp()}`));
    expect(browser.page).toContain(`ann@${corp()}`);
    expect(browser.page).toContain('<dd>Contributor</dd>');
    expect(await site.mailsTo(addressOf('eve'), 0)).toEqual([]);
  });

  it('rejects an invalid address and a forged form', async () => {
    await browser.open(signup);
    expect((await browser.send({ email: '<i>' })).status).toBe(400);
    expect(browser.page).toContain('value="&lt;i&gt;"');
    expect((await browser.send({ email: `bob@${corp()}`, csrf: undefined })).status).toBe(403);
  });

  it('shows an error for an unknown, expired or no longer allowed link', async () => {
    expect((await browser.open(`${signup}?token=x`)).status).toBe(404);
    const path = await linkTo(`ann@${corp()}`);
    await admin.delete('/admin/allowed-domains/' + corp());
    expect((await browser.open(path)).status).toBe(403);
    expect(browser.page).toContain('can no longer sign up');
    await site.sql("UPDATE signups SET expires_at = now() - interval '1 minute'");
    expect((await browser.open(path)).status).toBe(410);
    expect(browser.page).toContain('15 minutes');
  });
});
