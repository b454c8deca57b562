import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, PageBrowser, statusAndCode, useSite } from '@quire/testing';
import { configure } from './support.js';

const own = useSite();
const other = useSite();

beforeAll(async () => {
  for (const site of [own, other]) await site.as('admin');
});

const mode = async (site: typeof own) => (await site.anonymous().get('/auth/mode')).data;
const sendLink = (site: typeof own, name: string) =>
  site.anonymous().post('/auth/magic-link/send', { email: `${name}@${site.tenant}.example` });

describe('the sender of the mails of a site', () => {
  it('is its own, with its name; other sites have that of the installation', async () => {
    await configure(own, 'mailFrom.address=hello@acme.example', 'mailFrom.name="Acme, Inc."');
    const senderOf = async (site: typeof own) => {
      await sendLink(site, 'admin');
      return (await site.mailsTo(`admin@${site.tenant}.example`)).at(-1)?.headers['from'];
    };
    let mails = 0;
    const latest = await eventually(
      async () => {
        mails += 1;
        expect((await sendLink(own, 'admin')).status).toBe(200);
        return (await own.mailsTo(`admin@${own.tenant}.example`, mails)).at(-1)?.headers['from'];
      },
      (from) => from?.includes('acme.example') === true,
    );
    expect(latest).toBe('"Acme, Inc." <hello@acme.example>');
    expect(await senderOf(other)).not.toContain('acme.example');
  });
});

describe('the sign-in methods of a site', () => {
  it('are without links by mail, if its settings say so', async () => {
    await configure(own, 'signIn.magicLinks=false');
    const refused = await eventually(
      () => sendLink(own, 'admin'),
      ({ status }) => status === 403,
    );
    expect(statusAndCode(refused)).toEqual([403, 'FORBIDDEN']);
    const browser = new PageBrowser(own);
    await browser.open('/_cms/admin/login');
    expect(browser.page).toContain('Sign in with a passkey');
    expect(browser.page).not.toContain('E-mail me a link');
    expect((await sendLink(other, 'admin')).status).toBe(200);
  });

  it('still include a link that an administrator or an operator sends', async () => {
    await own.another('editor', 'lost');
    const [lost] = await own.sql<{ id: string }>("SELECT id FROM users WHERE email LIKE 'lost@%'");
    const admin = await own.as('admin');
    expect((await admin.post(`/admin/users/${lost?.id}/send-recovery`)).status).toBe(200);
    const [mail] = await own.mailsTo(`lost@${own.tenant}.example`);
    expect(mail?.link).toContain('/auth/magic-link/verify?token=');
  });

  it('let no visitor sign up, if its settings say so', async () => {
    for (const site of [own, other]) {
      const admin = await site.as('admin');
      const domain = `${site.tenant}.example`;
      expect((await admin.post('/admin/allowed-domains', { domain, defaultRole: 20 })).status).toBe(201);
      expect((await mode(site)).signupEnabled).toBe(true);
    }
    await configure(own, 'signIn.signup=false');
    const isClosed = ({ signupEnabled }: { signupEnabled: boolean }) => !signupEnabled;
    expect((await eventually(() => mode(own), isClosed)).signupEnabled).toBe(false);
    const request = (site: typeof own) =>
      site.anonymous().post('/auth/signup/request', { email: `new@${site.tenant}.example` });
    expect(statusAndCode(await request(own))).toEqual([403, 'DOMAIN_NOT_ALLOWED']);
    expect((await request(other)).status).toBe(200);
    const token = new URL(
      (await other.mailsTo(`new@${other.tenant}.example`))[0]?.link ?? '',
    ).searchParams.get('token');
    await configure(other, 'signIn.signup=false');
    await eventually(() => mode(other), isClosed);
    // A link from before opens no account.
    const verified = await other.anonymous().get(`/auth/signup/verify?token=${token}`);
    expect(statusAndCode(verified)).toEqual([403, 'DOMAIN_NOT_ALLOWED']);
  });

  it('offer the login providers that its settings name', async () => {
    const offered = async (site: typeof own) =>
      (await mode(site)).providers.map(({ id }: { id: string }) => id) as string[];
    const [first = '', second = ''] = await offered(own);
    await configure(own, `signIn.providers=["${second}"]`);
    const isOwn = (ids: string[]) => ids.length === 1;
    expect(await eventually(() => offered(own), isOwn)).toEqual([second]);
    expect((await offered(other)).length).toBeGreaterThan(1);
    const start = await own.anonymous().get(`/auth/oauth/${first}`);
    expect([start.status, start.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('error=invalid_provider'),
    ]);
  });
});
