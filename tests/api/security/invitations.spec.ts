import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  eventually,
  openSite,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
  walkPages,
  type Client,
} from '@quire/testing';
import { addressesOf } from './support.js';

interface Invitation {
  id: string;
  email: string;
  role: number;
  invitedBy: string | null;
  createdAt: string;
  expiresAt: string;
}

const site = useSite();
let admin: Client;
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
});

const addressOf = addressesOf(site);
const idOf = async (client: Client) => (await client.get('/auth/me')).data.id as string;
const pending = async () => (await admin.get('/auth/invite')).data.items as Invitation[];
const isPending = async (name: string) => (await pending()).some(({ email }) => email === addressOf(name));
const accept = (token: string) => site.anonymous().get(`/auth/invite/accept?token=${token}`);
const invalidToken = [404, 'INVALID_TOKEN'];

/** Sends an invitation. @returns the token of the mailed link */
async function invite(inviter: Client, name: string, role = 50): Promise<string> {
  const email = addressOf(name);
  expect((await inviter.post('/auth/invite', { email, role })).status).toBe(200);
  const [mail] = await site.mailsTo(email);
  return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
}

/** Creates another administrator with a pending invitation. */
async function inviterWithGuest() {
  const name = `departing${(count += 1)}`;
  const client = await site.another('admin', name);
  const guest = `guest-of-${name}`;
  const token = await invite(client, guest);
  const { data } = await site.anonymous().post('/auth/invite/register-options', { token });
  const credential = new SoftwareAuthenticator().register(data.options, { origin: `http://${site.host}` });
  const complete = () => site.anonymous().post('/auth/invite/complete', { token, credential });
  return { id: await idOf(client), guest, token, complete };
}

async function expectInvalid({
  guest,
  token,
  complete,
}: Awaited<ReturnType<typeof inviterWithGuest>>): Promise<void> {
  expect(statusAndCode(await accept(token))).toEqual(invalidToken);
  expect(statusAndCode(await site.anonymous().post('/auth/invite/register-options', { token }))).toEqual(
    invalidToken,
  );
  expect(statusAndCode(await complete())).toEqual(invalidToken);
  expect(await site.sql('SELECT id FROM users WHERE email = $1', [addressOf(guest)])).toEqual([]);
  expect(await isPending(guest)).toBe(false);
}

describe('invitation of an administrator', () => {
  it('is invalid after the administrator was disabled, even once enabled again', async () => {
    const ann = await inviterWithGuest();
    expect((await admin.post(`/admin/users/${ann.id}/disable`)).status).toBe(200);
    await expectInvalid(ann);
    expect((await admin.post(`/admin/users/${ann.id}/enable`)).status).toBe(200);
    await expectInvalid(ann);
  });

  it('is invalid after the administrator was demoted', async () => {
    const ben = await inviterWithGuest();
    expect((await admin.put(`/admin/users/${ben.id}`, { role: 40 })).status).toBe(200);
    await expectInvalid(ben);
  });

  it('is invalid when the inviter is no administrator, even if its row still exists', async () => {
    const eve = await inviterWithGuest();
    await site.sql('UPDATE users SET disabled = true WHERE id = $1', [eve.id]);
    await expectInvalid(eve);
    await site.sql('UPDATE users SET disabled = false, role = 30 WHERE id = $1', [eve.id]);
    await expectInvalid(eve);
  });

  it('is not mailed after the inviter was demoted', async () => {
    const fay = await inviterWithGuest();
    const email = addressOf(fay.guest);
    await site.sql('UPDATE users SET role = 30 WHERE id = $1', [fay.id]);
    await site.sql(
      `INSERT INTO cms_auth.pending_mails (tenant_id, id, kind, email, origin)
       VALUES ($1, 'late', 'invite', $2, $3)`,
      [site.tenant, email, `http://${site.host}`],
    );
    await invite(admin, 'passing-by');
    const waiting = () => site.sql('SELECT id FROM cms_auth.pending_mails WHERE email = $1', [email]);
    expect(await eventually(waiting, ({ length }) => length === 0)).toEqual([]);
    expect(await site.mailsTo(email, 1)).toHaveLength(1);
  });

  it('stays valid when the inviter changes name or address', async () => {
    const gus = await inviterWithGuest();
    await admin.put(`/admin/users/${gus.id}`, { name: 'Gus', email: addressOf('gus') });
    expect((await gus.complete()).status).toBe(200);
  });

  it('stays valid without an inviter', async () => {
    const token = await invite(admin, 'system');
    await site.sql('UPDATE invites SET invited_by = NULL WHERE email = $1', [addressOf('system')]);
    expect((await accept(token)).status).toBe(200);
    expect(await isPending('system')).toBe(true);
  });
});

describe('GET /auth/invite', () => {
  it('lists the invitations that can still be accepted, newest first, in pages', async () => {
    const own = await openSite();
    const inviter = await own.as('admin');
    for (const name of ['a', 'b', 'c']) await inviter.post('/auth/invite', { email: `${name}@x.example` });
    await own.sql("UPDATE invites SET expires_at = now() WHERE email = 'b@x.example'");
    const items = await walkPages<Invitation>(inviter, '/auth/invite?limit=1');
    expect(items).toMatchObject([{ email: 'c@x.example' }, { email: 'a@x.example' }]);
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      email: 'c@x.example',
      role: 30,
      invitedBy: await idOf(inviter),
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(statusAndCode(await inviter.get('/auth/invite?cursor=x'))).toEqual([400, 'INVALID_CURSOR']);
    expect(await pending()).not.toContainEqual(expect.objectContaining({ email: 'c@x.example' }));
    await own.close();
  });
});

describe('DELETE /auth/invite/{id}', () => {
  it('withdraws an invitation and invalidates its link', async () => {
    const token = await invite(admin, 'withdrawn');
    const [{ id } = { id: '' }] = (await pending()).filter(({ email }) => email === addressOf('withdrawn'));
    const response = await admin.delete(`/auth/invite/${id}`);
    expect([response.status, response.data]).toEqual([200, { success: true }]);
    expect(statusAndCode(await accept(token))).toEqual(invalidToken);
    expect(await isPending('withdrawn')).toBe(false);
    expect(statusAndCode(await admin.delete(`/auth/invite/${id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns 404 NOT_FOUND for invitations of another site', async () => {
    const token = await invite(admin, 'foreign');
    const [{ id } = { id: '' }] = (await pending()).filter(({ email }) => email === addressOf('foreign'));
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    expect(statusAndCode(await otherAdmin.delete(`/auth/invite/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await otherAdmin.get('/auth/invite')).data.items).toEqual([]);
    expect((await accept(token)).status).toBe(200);
    await other.close();
  });

  it('returns CSRF_REJECTED for a cross-site request', async () => {
    const session = await site.signedIn('admin');
    const response = await session.delete('/auth/invite/x', undefined, {
      headers: { 'x-cms-request': undefined },
    });
    expect(statusAndCode(response)).toEqual([403, 'CSRF_REJECTED']);
  });
});

describe('audit log of invitations', () => {
  it('contains the id, a keyed hash of the address and the reason of the end', async () => {
    const leaver = await inviterWithGuest();
    const [{ id } = { id: '' }] = (await pending()).filter(({ email }) => email === addressOf(leaver.guest));
    await admin.post(`/admin/users/${leaver.id}/disable`);
    await invite(admin, 'audited', 20);
    const ofAudited = (await pending()).find(({ email }) => email === addressOf('audited'));
    await admin.delete(`/auth/invite/${ofAudited?.id}`);
    const { items } = (await admin.get('/admin/audit-log?limit=100')).data as {
      items: { action: string; target: { id: string } | null; details: Record<string, unknown> }[];
    };
    const linesOf = (invitation: string | undefined) =>
      items
        .filter(({ target }) => target?.id === invitation)
        .map(({ action, details }) => ({ action, details }));
    const addressHash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(linesOf(id)).toEqual([
      { action: 'invite.withdrawn', details: { addressHash, reason: 'inviter-disabled' } },
      { action: 'user.invited', details: { addressHash, role: 50 } },
    ]);
    const [withdrawn, invited] = linesOf(ofAudited?.id);
    expect(withdrawn).toEqual({ action: 'invite.withdrawn', details: { addressHash, reason: 'withdrawn' } });
    expect(invited?.details['addressHash']).toBe(withdrawn?.details['addressHash']);
    expect(JSON.stringify(items)).not.toContain(addressOf('audited'));
  });
});

describePermissions(
  () => site,
  [
    {
      permission: 'users:invite',
      minRole: 'admin',
      scopes: ['admin'],
      operations: {
        listInvites: (client) => client.get('/auth/invite'),
        withdrawInvite: (client) => client.delete('/auth/invite/nothing'),
      },
    },
  ],
);
