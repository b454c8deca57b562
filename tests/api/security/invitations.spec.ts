import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  eventually,
  openSite,
  statusAndCode,
  SoftwareAuthenticator,
  walkPages,
  type Client,
  type Site,
} from '@quire/testing';

interface Invitation {
  id: string;
  email: string;
  role: number;
  invitedBy: string | null;
  createdAt: string;
  expiresAt: string;
}

let site: Site;
let admin: Client;
let count = 0;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterAll(() => site.close());

const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const idOf = async (client: Client) => (await client.get('/auth/me')).data.id as string;
const pending = async () => (await admin.get('/auth/invite')).data.items as Invitation[];
const isPending = async (name: string) => (await pending()).some(({ email }) => email === addressOf(name));
const accept = (token: string) => site.anonymous().get(`/auth/invite/accept?token=${token}`);
const dead = [404, 'INVALID_TOKEN'];

/** Invites somebody. @returns the token of the mailed link. */
async function invite(inviter: Client, name: string, role = 50): Promise<string> {
  const email = addressOf(name);
  expect((await inviter.post('/auth/invite', { email, role })).status).toBe(200);
  const [mail] = await site.mailsTo(email);
  return new URL(mail?.link ?? '').searchParams.get('token') ?? '';
}

/** Another administrator, who has invited somebody and begun to go away. */
async function departing() {
  const name = `departing${(count += 1)}`;
  const client = await site.another('admin', name);
  const guest = `guest-of-${name}`;
  const token = await invite(client, guest);
  const { data } = await site.anonymous().post('/auth/invite/register-options', { token });
  const credential = new SoftwareAuthenticator().register(data.options, { origin: `http://${site.host}` });
  const complete = () => site.anonymous().post('/auth/invite/complete', { token, credential });
  return { id: await idOf(client), guest, token, complete };
}

async function expectDead({ guest, token, complete }: Awaited<ReturnType<typeof departing>>): Promise<void> {
  expect(statusAndCode(await accept(token))).toEqual(dead);
  expect(statusAndCode(await site.anonymous().post('/auth/invite/register-options', { token }))).toEqual(
    dead,
  );
  expect(statusAndCode(await complete())).toEqual(dead);
  expect(await site.sql('SELECT id FROM users WHERE email = $1', [addressOf(guest)])).toEqual([]);
  expect(await isPending(guest)).toBe(false);
}

describe('an invitation of an administrator', () => {
  it('is invalid after the administrator was disabled, even once enabled again', async () => {
    const ann = await departing();
    expect((await admin.post(`/admin/users/${ann.id}/disable`)).status).toBe(200);
    await expectDead(ann);
    expect((await admin.post(`/admin/users/${ann.id}/enable`)).status).toBe(200);
    await expectDead(ann);
  });

  it('is invalid after the administrator was demoted', async () => {
    const ben = await departing();
    expect((await admin.put(`/admin/users/${ben.id}`, { role: 40 })).status).toBe(200);
    await expectDead(ben);
  });

  it('is invalid when the inviter is no administrator, even if its row still exists', async () => {
    const eve = await departing();
    await site.sql('UPDATE users SET disabled = true WHERE id = $1', [eve.id]);
    await expectDead(eve);
    await site.sql('UPDATE users SET disabled = false, role = 30 WHERE id = $1', [eve.id]);
    await expectDead(eve);
  });

  it('is not mailed after the inviter was demoted', async () => {
    const fay = await departing();
    const email = addressOf(fay.guest);
    await site.sql('UPDATE users SET role = 30 WHERE id = $1', [fay.id]);
    await site.sql("INSERT INTO pending_mails (id, kind, email, origin) VALUES ('late', 'invite', $1, $2)", [
      email,
      `http://${site.host}`,
    ]);
    await invite(admin, 'passing-by');
    const waiting = () => site.sql("SELECT id FROM pending_mails WHERE id = 'late'");
    expect(await eventually(waiting, ({ length }) => length === 0)).toEqual([]);
    expect(await site.mailsTo(email, 1)).toHaveLength(1);
  });

  it('stays valid when the inviter changes name or address', async () => {
    const gus = await departing();
    await admin.put(`/admin/users/${gus.id}`, { name: 'Gus', email: addressOf('gus') });
    expect((await gus.complete()).status).toBe(200);
  });

  it('of the system stays valid', async () => {
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
    const answer = await admin.delete(`/auth/invite/${id}`);
    expect([answer.status, answer.data]).toEqual([200, { success: true }]);
    expect(statusAndCode(await accept(token))).toEqual(dead);
    expect(await isPending('withdrawn')).toBe(false);
    expect(statusAndCode(await admin.delete(`/auth/invite/${id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it('does not see another site’s invitations', async () => {
    const token = await invite(admin, 'neighbourly');
    const [{ id } = { id: '' }] = (await pending()).filter(({ email }) => email === addressOf('neighbourly'));
    const neighbour = await openSite();
    const there = await neighbour.as('admin');
    expect(statusAndCode(await there.delete(`/auth/invite/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await there.get('/auth/invite')).data.items).toEqual([]);
    expect((await accept(token)).status).toBe(200);
    await neighbour.close();
  });

  it('refuses what a page of another site sends', async () => {
    const session = await site.signedIn('admin');
    const answer = await session.delete('/auth/invite/x', undefined, {
      headers: { 'x-cms-request': undefined },
    });
    expect(statusAndCode(answer)).toEqual([403, 'CSRF_REJECTED']);
  });
});

describe('the audit log', () => {
  it('tells of an invitation by its id and a keyed hash of the address, and why it ended', async () => {
    const leaver = await departing();
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
        withdrawInvite: (client) => client.delete('/auth/invite/nobodys'),
      },
    },
  ],
);
