import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, type Client } from '@quire/testing';
import { createPasskey, useBrowserSessions, type BrowserSession } from './support.js';

const { site, openSession } = useBrowserSessions();
const page = '/_cms/admin/settings/transfer';
const approvals = '/admin/transfer/approvals';
let agent: Client;
let admin: Client;

beforeAll(async () => {
  agent = await site.withScopes('admin', ['content:read']);
  admin = await site.signedIn('admin');
});

/** Requests an export with the agent's token, which lacks the scope. @returns the id of the request */
async function requestExport(comments: boolean): Promise<string> {
  const { code, details } = await callTool(agent, 'site_export_start', { comments });
  expect(code).toBe('TRANSFER_APPROVAL_REQUIRED');
  return details?.['approvalId'] as string;
}

async function statusOf(id: string): Promise<string | undefined> {
  const { items } = (await admin.get(approvals)).data as { items: { id: string; status: string }[] };
  return items.find((approval) => approval.id === id)?.status;
}

/** An administrator with a passkey. @param minutesAgo age of the sign-in */
async function openAdmin(name: string, minutesAgo = 0): Promise<BrowserSession> {
  const session = await openSession();
  await session.signIn('admin', name);
  await createPasskey(session);
  await session.signIn('admin', name, minutesAgo);
  return session;
}

const request = (session: BrowserSession, title: string) =>
  session.page.getByRole('listitem').filter({ hasText: title });
const decide = (session: BrowserSession, title: string, decision: 'Approve' | 'Deny') =>
  request(session, title)
    .getByRole('button', { name: new RegExp(`^${decision} the export`) })
    .click();

describe('administrator on the page Settings, Transfer', () => {
  it('approves a request with a passkey when the sign-in is old; the token may then start the export', async () => {
    const id = await requestExport(true);
    const ann = await openAdmin('ann', 11);
    await ann.goTo('/_cms/admin');
    await ann.page.getByRole('link', { name: 'Transfer' }).click();
    await ann.heading('Transfer').waitFor();
    const row = request(ann, 'Export of the site with comments');
    const [token] = await site.sql<{ name: string }>(
      'SELECT name FROM api_tokens WHERE id = (SELECT requested_by_token_id FROM transfer_approvals)',
    );
    await row.getByText(`admin@${site.tenant}.example`, { exact: true }).waitFor();
    await row.getByText(token?.name ?? '', { exact: true }).waitFor();
    await row.getByText(/^1[0-5]:\d\d left$/).waitFor();
    await decide(ann, 'with comments', 'Approve');
    await ann.page.getByRole('status').filter({ hasText: 'The request is approved' }).waitFor();
    expect(await statusOf(id)).toBe('approved');
    const proofs = await site.sql("SELECT 1 FROM audit_log WHERE action = 'session.reauthenticated'");
    expect(proofs).toHaveLength(1);
    const started = await callTool(agent, 'site_export_start', { comments: true, approvalId: id });
    expect(started).toMatchObject({ isError: false, data: { operation: { kind: 'export' } } });
    await ann.goTo(page);
    await ann.page.getByText('No request is pending.').waitFor();
    await request(ann, 'started').getByText('Export', { exact: true }).waitFor();
  });

  it('denies a request', async () => {
    const id = await requestExport(false);
    const bob = await openSession();
    await bob.signIn('admin', 'bob');
    await bob.goTo(page);
    await decide(bob, 'without comments', 'Deny');
    await bob.page.getByRole('status').filter({ hasText: 'The request is denied' }).waitFor();
    expect(await statusOf(id)).toBe('denied');
  });

  it('gets the error in words when the request is already decided', async () => {
    const id = await requestExport(false);
    const cid = await openSession();
    await cid.signIn('admin', 'cid');
    await cid.goTo(page);
    await request(cid, 'without comments').waitFor();
    expect((await admin.post(`${approvals}/${id}/deny`)).status).toBe(200);
    await decide(cid, 'without comments', 'Approve');
    expect(await cid.alertText()).toBe('The request does not exist, has expired or is already decided.');
  });

  it('approves nothing when the passkey check fails', async () => {
    const id = await requestExport(false);
    const dan = await openSession();
    await dan.signIn('admin', 'dan');
    const device = await createPasskey(dan);
    await dan.signIn('admin', 'dan', 11);
    await dan.removeAuthenticator(device);
    await dan.addAuthenticator();
    await dan.goTo(page);
    await decide(dan, 'without comments', 'Approve');
    expect(await dan.alertText()).toMatch(/^No passkey was used/);
    expect(await statusOf(id)).toBe('pending');
  });

  it('signs in again without a passkey when the sign-in is old', async () => {
    const id = await requestExport(false);
    const eve = await openSession();
    await eve.signIn('admin', 'eve', 11);
    await eve.goTo(page);
    await decide(eve, 'without comments', 'Approve');
    await eve.heading('Sign in again').waitFor();
    expect(new URL(eve.page.url()).searchParams.get('redirect')).toBe(page);
    expect(await statusOf(id)).toBe('pending');
  });

  it('cannot decide on a request once it expires', async () => {
    const id = await requestExport(false);
    const fay = await openSession();
    await fay.signIn('admin', 'fay');
    await fay.page.clock.install();
    await fay.goTo(page);
    const row = request(fay, 'without comments');
    await row.getByText(/ left$/).waitFor();
    await fay.page.clock.fastForward('20:00');
    await row.getByText('expired', { exact: true }).waitFor();
    expect(await row.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await site.sql("UPDATE transfer_approvals SET expires_at = now() - interval '1 second' WHERE id = $1", [
      id,
    ]);
    await fay.page.reload();
    await fay.heading('Transfer').waitFor();
    expect(await row.count()).toBe(0);
  });

  it('returns to the page after the sign-in', async () => {
    const gus = await openAdmin('gus');
    await gus.context.clearCookies();
    await gus.goTo(page);
    await gus.waitForPath('/_cms/admin/login');
    await gus.press('Sign in with a passkey');
    await gus.heading('Transfer').waitFor();
    await gus.press('Sign out');
    await gus.waitForPath('/_cms/admin/login');
  });
});

it('an editor gets 403, and no link to the page', async () => {
  const editor = await openSession();
  await editor.signIn('editor');
  await editor.goTo('/_cms/admin');
  await editor.heading(/^Welcome/).waitFor();
  expect(await editor.page.getByRole('link', { name: 'Transfer' }).count()).toBe(0);
  const response = await editor.page.goto(page);
  expect(response?.status()).toBe(403);
  await editor.heading('Not allowed').waitFor();
  await editor.page.getByText('Only administrators may export and import the site.').waitFor();
});
