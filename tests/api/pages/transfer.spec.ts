import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, PageBrowser, useSite, type Client } from '@quire/testing';
import { exportSite } from '../transfer/support.js';
import { redirectOf } from './support.js';

const site = useSite();
const other = useSite();
const page = '/_cms/admin/settings/transfer';
const approvals = '/admin/transfer/approvals';
let admin: Client;
let agent: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
  agent = await site.withScopes('admin', ['content:read']);
});

/** The page as the administrator sees it. */
async function openPage(path = page): Promise<string> {
  const browser = new PageBrowser(site, admin.session);
  expect((await browser.open(path)).status).toBe(200);
  return browser.page;
}
const requestExport = async (args: object = {}) =>
  (await callTool(agent, 'site_export_start', args)).details?.['approvalId'] as string;

describe('GET /_cms/admin/settings/transfer', () => {
  it('redirects callers without a session to the login and back', async () => {
    const login = `/_cms/admin/login?redirect=${encodeURIComponent(page)}`;
    for (const client of [site.anonymous(), await site.as('admin')])
      expect(redirectOf(await client.get(page))).toEqual([302, login]);
  });

  it.each(['editor', 'author', 'contributor', 'subscriber'] as const)(
    'is a page with 403 for a user with the role %s',
    async (role) => {
      const response = await (await site.signedIn(role)).get(page);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        403,
        'text/html; charset=utf-8',
      ]);
      expect(response.body).toContain('Only administrators may export and import the site.');
      expect(response.body).not.toContain('Approval requests');
    },
  );

  it('shows the pending requests of the site, with escaped names', async () => {
    await admin.post('/settings', { title: 'The <Gazette>' });
    await site.sql(`UPDATE api_tokens SET name = '<b>Agent'`);
    const [withComments, without] = [await requestExport(), await requestExport({ comments: false })];
    const shown = await openPage();
    expect(shown).toContain('<span>The &lt;Gazette&gt;</span>');
    expect(shown).toContain(`data-approval="${withComments}"`);
    expect(shown).toContain(`data-approval="${without}"`);
    expect(shown).toContain('Export of the site with comments');
    expect(shown).toContain('Export of the site without comments');
    expect(shown).toContain(`<dd>admin@${site.tenant}.example</dd>`);
    expect(shown).toContain('<dd>&lt;b&gt;Agent</dd>');
    expect((await admin.post(`${approvals}/${withComments}/deny`)).status).toBe(200);
    expect((await admin.post(`${approvals}/${without}/approve`)).status).toBe(200);
    expect(await openPage()).toContain('No request is pending.');
  });

  it('shows the digests of the package and the plan of an import', async () => {
    const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
    const [user] = await site.sql<{ id: string }>("SELECT id FROM users WHERE email LIKE 'admin@%'");
    await site.sql(
      `INSERT INTO transfer_approvals (id, status, action, user_id, requested_by_token_id, operation_id, options,
         params_digest, package_digest, plan_digest, expires_at)
       VALUES ('import-request', 'pending', 'import', $1, 'revoked', 'operation', '{}', $2, $3, $4,
         now() + interval '15 minutes')`,
      [user?.id, digest('a'), digest('b'), digest('c')],
    );
    const shown = await openPage();
    expect(shown).toContain('Import of a package');
    expect(shown).toContain(`<code>${digest('b')}</code>`);
    expect(shown).toContain(`<code>${digest('c')}</code>`);
    expect(shown).toContain('<dd>without a name</dd>');
  });

  it('shows exports with their state, and the archive of a complete one until it expires', async () => {
    const { operation } = await exportSite(await site.as('admin'));
    const archive = `href="/_cms/api/admin/transfer/exports/${operation.id}/archive"`;
    const shown = await openPage();
    expect(shown).toContain('<span class="tag">Complete</span>');
    expect(shown).toContain(archive);
    const change = (assignments: string) =>
      site.sql(`UPDATE transfer_operations SET ${assignments} WHERE id = $1`, [operation.id]);
    await change("expires_at = now() - interval '1 second'");
    expect(await openPage()).not.toContain(archive);
    await change("state = 'failed', error_code = 'TRANSFER_EXPORT_STALLED'");
    expect(await openPage()).toMatch(/Failed<\/span>[^]*TRANSFER_EXPORT_STALLED/);
    await change(
      'state = \'running\', error_code = NULL, expires_at = NULL, progress = \'{"done":3,"total":4}\'',
    );
    expect(await openPage()).toContain('<span class="tag">Running 75 %</span>');
  });

  it('shows notices only for known codes', async () => {
    expect(await openPage(`${page}?done=approved`)).toContain('The request is approved.');
    expect(await openPage(`${page}?done=${encodeURIComponent('<b>You won')}`)).not.toContain('You won');
  });

  it('shows nothing of another site', async () => {
    const id = await requestExport();
    expect(await openPage()).toContain(id);
    const response = await (await other.signedIn('admin')).get(page);
    expect([response.status, String(response.body).includes(id)]).toEqual([200, false]);
  });

  it('has a sign-out form with the CSRF token of the page', async () => {
    const client = await site.signedIn('admin', 'leaving');
    const browser = new PageBrowser(site, client.session);
    await browser.open(page);
    expect(redirectOf(await browser.send({ action: 'sign-out' }))).toEqual([303, '/_cms/admin/login']);
  });
});
