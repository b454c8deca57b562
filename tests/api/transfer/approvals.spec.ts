import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  callTool,
  eventually,
  openApplication,
  openSite,
  statusAndCode,
  testRoles,
  useSite,
  walkPages,
  type Client,
} from '@quire/testing';

const site = useSite();
const path = '/admin/transfer/approvals';
let admin: Client;
/** A token of the administrator that may not export. */
let agent: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
  agent = await site.withScopes('admin', ['content:read']);
});

/** Requests an approval of an export. The options make one of two different requests. @returns its id */
async function request(comments = true, client = agent): Promise<string> {
  const { code, details } = await callTool(client, 'site_export_start', { comments });
  expect(code).toBe('TRANSFER_APPROVAL_REQUIRED');
  return String(details?.approvalId);
}
const decide = (client: Client, id: string, decision: 'approve' | 'deny') =>
  client.post(`${path}/${id}/${decision}`);
const find = async (id: string) => {
  const { data } = await admin.get(path);
  return (data.items as { id: string; status: string }[]).find((approval) => approval.id === id);
};
const end = (id: string) =>
  site.sql("UPDATE transfer_approvals SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);

describe('GET admin/transfer/approvals', () => {
  it('shows who requests what with which token', async () => {
    const { data: me } = await admin.get('/auth/me');
    const { data: created } = await admin.post('/admin/api-tokens', {
      name: 'Nightly export',
      scopes: ['content:read'],
    });
    const id = await request(false, site.withToken(created.token as string));
    expect(await find(id)).toEqual({
      ...{ id, status: 'pending', action: 'export', options: { comments: false } },
      ...{ userId: me.id, requestedBy: { id: me.id, name: me.name ?? me.email } },
      ...{ requestedByTokenId: created.info.id, tokenName: 'Nightly export' },
      ...{ approvedBy: null, operationId: null, packageDigest: null, planDigest: null },
      paramsDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      ...{ createdAt: expect.any(String), expiresAt: expect.any(String) },
      ...{ decidedAt: null, consumedAt: null },
    });
  });

  it('names the application of an OAuth token', async () => {
    const application = await openApplication(site);
    const tokens = await application.tokens(admin, 'content:read');
    const id = await request(true, site.withToken(tokens.access_token));
    const { data } = await admin.get(`/admin/oauth-clients/${application.id}`);
    expect(await find(id)).toMatchObject({ tokenName: data.name });
  });

  it('filters by the present status, and lists in pages, the newest first', async () => {
    const first = await request(true);
    await decide(admin, first, 'deny');
    const second = await request(true);
    await end(second);
    const third = await request(true);
    const idsOf = async (status: string) => {
      const { data } = await admin.get(`${path}?status=${status}&limit=100`);
      return (data.items as { id: string }[]).map(({ id }) => id);
    };
    for (const [status, id] of Object.entries({ denied: first, expired: second, pending: third })) {
      const ids = await idsOf(status);
      expect([status, ids.includes(id)]).toEqual([status, true]);
      const others = [first, second, third].filter((other) => other !== id);
      expect([status, others.some((other) => ids.includes(other))]).toEqual([status, false]);
    }
    const all = await walkPages(admin, `${path}?limit=1`);
    expect(all.length).toBeGreaterThan(2);
  });

  it('shows no request of another site', async () => {
    const id = await request();
    const stranger = await openSite();
    const other = await stranger.signedIn('admin');
    expect((await other.get(path)).data.items).toEqual([]);
    expect(statusAndCode(await decide(other, id, 'approve'))).toEqual([403, 'TRANSFER_APPROVAL_INVALID']);
    await stranger.close();
  });
});

describe('POST admin/transfer/approvals/{id}/approve', () => {
  it('lets the token start what it requested, once', async () => {
    const id = await request();
    const { status, data } = await decide(admin, id, 'approve');
    expect([status, data.approval]).toEqual([200, expect.objectContaining({ id, status: 'approved' })]);
    const minutes = (Date.parse(data.approval.expiresAt) - Date.parse(data.approval.decidedAt)) / 60_000;
    expect(minutes).toBe(15);
    const started = await callTool(agent, 'site_export_start', { approvalId: id });
    expect(started.data.operation.state).toBe('pending');
    expect(await find(id)).toMatchObject({ status: 'consumed', operationId: started.data.operation.id });
    expect((await callTool(agent, 'site_export_start', { approvalId: id })).code).toBe(
      'TRANSFER_APPROVAL_INVALID',
    );
  });

  it('needs a sign-in of the last ten minutes', async () => {
    const id = await request();
    const earlier = await site.signedIn('admin', 'admin', 11);
    expect(statusAndCode(await decide(earlier, id, 'approve'))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    expect((await find(id))?.status).toBe('pending');
  });

  it('is recorded in the audit log, as are the request and its use', async () => {
    const id = await request(false);
    await decide(admin, id, 'approve');
    await callTool(agent, 'site_export_start', { comments: false, approvalId: id });
    const read = async () => {
      const { data } = await admin.get('/admin/audit-log?limit=100');
      const events = data.items as { action: string; target: { id: string } | null }[];
      return events.filter(({ target }) => target?.id === id).map(({ action }) => action);
    };
    expect((await eventually(read, (actions) => actions.length >= 3)).sort()).toEqual([
      'transfer-approval.approved',
      'transfer-approval.requested',
      'transfer-approval.used',
    ]);
  });
});

describe('POST admin/transfer/approvals/{id}/deny', () => {
  it('ends the request, also after an earlier sign-in', async () => {
    const id = await request();
    const earlier = await site.signedIn('admin', 'admin', 11);
    const { status, data } = await decide(earlier, id, 'deny');
    expect([status, data.approval.status, data.approval.approvedBy]).toEqual([200, 'denied', null]);
    expect((await callTool(agent, 'site_export_start', { approvalId: id })).code).toBe(
      'TRANSFER_APPROVAL_INVALID',
    );
  });
});

describe.each(['approve', 'deny'] as const)('POST admin/transfer/approvals/{id}/%s', (decision) => {
  it('is TRANSFER_APPROVAL_INVALID for an unknown, decided or expired request', async () => {
    const decided = await request();
    await decide(admin, decided, 'deny');
    const expired = await request();
    await end(expired);
    for (const id of ['01ARZ3NDEKTSV4RRFFQ69G5FAV', decided, expired])
      expect(statusAndCode(await decide(admin, id, decision))).toEqual([403, 'TRANSFER_APPROVAL_INVALID']);
  });

  it('needs the header of pages of the site', async () => {
    const id = await request();
    const forged = await admin.post(`${path}/${id}/${decision}`, undefined, {
      headers: { 'x-cms-request': undefined },
    });
    expect(statusAndCode(forged)).toEqual([403, 'CSRF_REJECTED']);
    expect((await find(id))?.status).toBe('pending');
  });
});

describe('callers of approvals', () => {
  it('are signed in: every token is FORBIDDEN, also with admin', async () => {
    const id = await request();
    const tokens = [agent, await site.as('admin'), await site.withScopes('admin', ['transfer:execute'])];
    for (const client of tokens)
      for (const response of [
        await client.get(path),
        await decide(client, id, 'approve'),
        await decide(client, id, 'deny'),
      ])
        expect(statusAndCode(response)).toEqual([403, 'FORBIDDEN']);
    const anonymous = site.anonymous();
    expect(statusAndCode(await anonymous.get(path))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('are Admins', async () => {
    const id = await request();
    for (const role of testRoles.filter((each) => each !== 'admin')) {
      const client = await site.signedIn(role);
      for (const response of [
        await client.get(path),
        await decide(client, id, 'approve'),
        await decide(client, id, 'deny'),
      ])
        expect([role, ...statusAndCode(response)]).toEqual([role, 403, 'INSUFFICIENT_PERMISSIONS']);
    }
    expect((await find(id))?.status).toBe('pending');
  });
});
