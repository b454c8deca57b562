import 'reflect-metadata';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Context, Principal } from '@quire/context';
import type { InternalOperation } from '@quire/internal-api';
import { authApi } from '@quire/internal-api';
import { openServiceTenant, useFixture } from '@quire/testing';
import { transferTables } from '../../migrations/index.js';
import type { TransferDeps } from '../../transfer-deps.js';
import { transferEntities } from '../../transfer.module.js';
import { createTransferExport } from '../exports/index.js';
import {
  approveTransferApproval,
  assertStartApproved,
  assertStartedByApproval,
  consumeApproval,
  denyTransferApproval,
  listTransferApprovals,
  type RequestedStart,
} from './index.js';

const tenant = useFixture(() =>
  openServiceTenant('spec-of-transfer-approvals', 'transfer', transferTables, transferEntities),
);

const auth = {
  call: ({ id }: InternalOperation) =>
    Promise.resolve(
      id === authApi.usersByIds.id
        ? { items: [{ id: 'ada', name: null, email: 'ada@example.com', avatarUrl: null }] }
        : { items: [{ id: 'token-1', name: 'Agent' }] },
    ),
};
const deps = { clients: { auth }, wakeDispatcher: () => undefined } as unknown as TransferDeps;

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const importOf = (changes: { operationId?: string; packageDigest?: string; planDigest?: string } = {}) =>
  ({
    action: 'import',
    arguments: { operationId: 'i1', packageDigest: digest('1'), planDigest: digest('2'), ...changes },
  }) satisfies RequestedStart;
const exportOf = (comments = true): RequestedStart => ({ action: 'export', arguments: { comments } });

/** A context of a token without scopes, or of an administrator's session. */
const contextOf = (changes: Partial<Principal> = {}): Context => ({
  ...tenant.ctx,
  principal: {
    kind: 'token',
    tenant: tenant.tenant,
    userId: 'ada',
    role: 50,
    scopes: [],
    tokenId: 'token-1',
    ...changes,
  },
});
const agent = () => contextOf();
const session = (role = 50) => contextOf({ kind: 'session', userId: 'eve', role, scopes: undefined });

/** Code and details of a failure; `ok` for none. */
async function outcome(calling: Promise<unknown>): Promise<{ code: string; approvalId?: string }> {
  try {
    await calling;
    return { code: 'ok' };
  } catch (error) {
    const { code, details } = error as { code: string; details?: { approvalId: string } };
    return { code, ...details };
  }
}
const codeOf = async (calling: Promise<unknown>) => (await outcome(calling)).code;
const check = (start: RequestedStart, approvalId?: string, ctx = agent()) =>
  assertStartApproved(ctx, start, approvalId);

/** Requests an approval. @returns its id */
async function request(start: RequestedStart, ctx = agent()): Promise<string> {
  const { code, approvalId } = await outcome(check(start, undefined, ctx));
  expect(code).toBe('TRANSFER_APPROVAL_REQUIRED');
  return approvalId ?? '';
}
const approve = (id: string) => approveTransferApproval(session(), deps, id);
const deny = (id: string) => denyTransferApproval(session(), deps, id);
async function requestApproved(start: RequestedStart): Promise<string> {
  const id = await request(start);
  await approve(id);
  return id;
}

/** Starts an export by an approval, in the transaction of the start. */
const startExport = (approvalId: string, start = exportOf(), ctx = agent()) =>
  createTransferExport(ctx, deps, {
    options: { comments: true },
    write: (tx, operationId) => consumeApproval(ctx, tx, { approvalId, start, operationId }),
  });
const operations = async () => {
  const [row] = await tenant.ctx.db.query<{ count: number }>('SELECT count(*) FROM transfer_operations');
  return Number(row?.count);
};
const shift = (id: string, interval: string) =>
  tenant.ctx.db.query(
    `UPDATE transfer_approvals SET created_at = created_at + $2::interval, expires_at = expires_at + $2::interval
     WHERE id = $1`,
    [id, interval],
  );
const list = async (status?: 'pending' | 'expired') =>
  (await listTransferApprovals(session(), deps, { limit: 100, status })).items;
const find = async (id: string) => (await list()).find((approval) => approval.id === id);
const minutesFrom = (start = '', end = '') => (Date.parse(end) - Date.parse(start)) / 60_000;
/** Actions about a request in the outbox of the service. */
const audited = async (id: string): Promise<string[]> => {
  const rows = await tenant.databases
    .shared()
    .query<{ message: { action: string; targetId?: string } }>(
      'SELECT message FROM cms_transfer.outbox ORDER BY id',
    );
  return rows.filter(({ message }) => message.targetId === id).map(({ message }) => message.action);
};

beforeEach(async () => {
  await tenant.ctx.db.query('DELETE FROM transfer_approvals');
  await tenant.ctx.db.query('DELETE FROM transfer_operations');
});

describe('a start without scope and approvalId (contract 12, Approvals)', () => {
  it('is TRANSFER_APPROVAL_REQUIRED, with a request that is pending for 15 minutes', async () => {
    const id = await request(importOf());
    const found = await find(id);
    expect(found).toMatchObject({
      ...{ id, status: 'pending', action: 'import', userId: 'ada', requestedByTokenId: 'token-1' },
      ...{ operationId: 'i1', packageDigest: digest('1'), planDigest: digest('2'), options: {} },
      ...{ approvedBy: null, decidedAt: null, consumedAt: null },
      requestedBy: { id: 'ada', name: 'ada@example.com' },
      tokenName: 'Agent',
    });
    expect(minutesFrom(found?.createdAt, found?.expiresAt)).toBe(15);
    expect(await audited(id)).toEqual(['transfer-approval.requested']);
  });

  it('names the request, its end and Settings, Transfer in the message', async () => {
    const error: unknown = await check(exportOf()).catch((caught: unknown) => caught);
    const { details, message } = error as { details: Record<string, string>; message: string };
    expect(Object.keys(details)).toEqual(['approvalId', 'expiresAt']);
    for (const text of [...Object.values(details), 'Settings, Transfer']) expect(message).toContain(text);
  });

  it('returns the same pending request for the same arguments, and records it once', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => request(exportOf())));
    expect(new Set([...ids, await request(exportOf())]).size).toBe(1);
    expect(await audited(ids[0] ?? '')).toEqual(['transfer-approval.requested']);
  });

  it.each<[string, () => Promise<string>]>([
    ['other options', () => request(exportOf(false))],
    ['another action', () => request(importOf())],
    ['another operation', () => request(importOf({ operationId: 'i2' }))],
    ['another token', () => request(exportOf(), contextOf({ tokenId: 'token-2' }))],
    ['another user', () => request(exportOf(), contextOf({ userId: 'bob' }))],
  ])('makes another request for %s', async (_, other) => {
    expect(await other()).not.toBe(await request(exportOf()));
    expect(await list('pending')).toHaveLength(2);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['expired', async () => shift(await request(exportOf()), '-15 minutes')],
    ['denied', async () => deny(await request(exportOf()))],
    ['approved', () => requestApproved(exportOf())],
  ])('makes another request while the first one is %s', async (_, decide) => {
    await decide();
    const [first] = await list();
    expect(await request(exportOf())).not.toBe(first?.id);
  });

  it('is INSUFFICIENT_SCOPE for a caller without a token id, and makes no request', async () => {
    const ctx = contextOf({ tokenId: undefined });
    expect(await codeOf(check(exportOf(), undefined, ctx))).toBe('INSUFFICIENT_SCOPE');
    expect(await codeOf(check(exportOf(), await requestApproved(exportOf()), ctx))).toBe(
      'INSUFFICIENT_SCOPE',
    );
    expect(await list()).toHaveLength(1);
  });

  it('deletes requests of more than 30 days ago', async () => {
    const [old, recent] = [await request(importOf()), await request(importOf({ operationId: 'i2' }))];
    await shift(old, '-31 days');
    await shift(recent, '-29 days');
    const id = await request(exportOf());
    expect((await list()).map((approval) => approval.id)).toEqual([id, recent]);
  });
});

describe('a start with approvalId', () => {
  it('is allowed by an approval of the same arguments and token, once', async () => {
    const id = await requestApproved(exportOf());
    await check(exportOf(), id);
    const { operation } = await startExport(id);
    expect(await find(id)).toMatchObject({
      status: 'consumed',
      operationId: operation.id,
      consumedAt: expect.any(String),
    });
    expect(await codeOf(check(exportOf(), id))).toBe('TRANSFER_APPROVAL_INVALID');
    expect(await codeOf(startExport(id))).toBe('TRANSFER_APPROVAL_INVALID');
    expect(await operations()).toBe(1);
    expect(await audited(id)).toEqual([
      'transfer-approval.requested',
      'transfer-approval.approved',
      'transfer-approval.used',
    ]);
  });

  const refused: [string, () => Promise<string>, RequestedStart, Partial<Principal>?][] = [
    ['pending', () => request(exportOf()), exportOf()],
    ['unknown', () => Promise.resolve('unknown'), exportOf()],
    ['for other options', () => requestApproved(exportOf(false)), exportOf()],
    ['for the other tool', () => requestApproved(importOf()), exportOf()],
    ['for another operation', () => requestApproved(importOf({ operationId: 'i2' })), importOf()],
    ['for another package', () => requestApproved(importOf({ packageDigest: digest('3') })), importOf()],
    ['for another plan', () => requestApproved(importOf({ planDigest: digest('3') })), importOf()],
    ['of another token', () => requestApproved(exportOf()), exportOf(), { tokenId: 't2' }],
    ['of another user', () => requestApproved(exportOf()), exportOf(), { userId: 'bob' }],
    [
      'denied',
      async () => {
        const id = await request(exportOf());
        await deny(id);
        return id;
      },
      exportOf(),
    ],
    [
      'expired before its approval',
      async () => {
        const id = await request(exportOf());
        await shift(id, '-15 minutes');
        return id;
      },
      exportOf(),
    ],
    [
      'approved more than 15 minutes ago',
      async () => {
        const id = await requestApproved(exportOf());
        await shift(id, '-15 minutes');
        return id;
      },
      exportOf(),
    ],
  ];

  it.each(refused)(
    'is TRANSFER_APPROVAL_INVALID for an approval that is %s',
    async (_, make, start, caller = {}) => {
      const id = await make();
      const ctx = contextOf(caller);
      expect(await codeOf(check(start, id, ctx))).toBe('TRANSFER_APPROVAL_INVALID');
      expect(await codeOf(startExport(id, start, ctx))).toBe('TRANSFER_APPROVAL_INVALID');
      expect(await operations()).toBe(0);
    },
  );

  it('that fails leaves the request approved', async () => {
    const id = await requestApproved(exportOf());
    const failing = createTransferExport(agent(), deps, {
      options: { comments: true },
      write: async (tx, operationId) => {
        await consumeApproval(agent(), tx, { approvalId: id, start: exportOf(), operationId });
        throw new Error('The start fails');
      },
    });
    await expect(failing).rejects.toThrow('The start fails');
    expect([await operations(), (await find(id))?.status]).toEqual([0, 'approved']);
    await startExport(id);
    expect((await find(id))?.status).toBe('consumed');
  });

  it('starts one operation when it is repeated at the same time', async () => {
    const id = await requestApproved(exportOf());
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(startExport(id))));
    expect(codes.sort()).toEqual(['TRANSFER_APPROVAL_INVALID', 'TRANSFER_APPROVAL_INVALID', 'ok']);
    expect(await operations()).toBe(1);
  });
});

describe('after a start by an approval', () => {
  it('the same user and token may follow that operation only', async () => {
    const { operation } = await startExport(await requestApproved(exportOf()));
    const follow = (id: string, ctx = agent(), action: 'export' | 'import' = 'export') =>
      codeOf(assertStartedByApproval(ctx, action, id));
    expect(await follow(operation.id)).toBe('ok');
    expect(await follow('other')).toBe('INSUFFICIENT_SCOPE');
    expect(await follow(operation.id, agent(), 'import')).toBe('INSUFFICIENT_SCOPE');
    for (const changes of [{ tokenId: 't2' }, { tokenId: undefined }, { userId: 'bob' }])
      expect(await follow(operation.id, contextOf(changes))).toBe('INSUFFICIENT_SCOPE');
  });

  it('an approved request does not yet allow to follow its import', async () => {
    await requestApproved(importOf());
    expect(await codeOf(assertStartedByApproval(agent(), 'import', 'i1'))).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('decisions of administrators', () => {
  it('approve for 15 minutes from then on', async () => {
    const id = await request(exportOf());
    await shift(id, '-10 minutes');
    const { approval } = await approve(id);
    expect(approval).toMatchObject({ id, status: 'approved', approvedBy: 'eve' });
    expect(minutesFrom(approval.decidedAt ?? '', approval.expiresAt)).toBe(15);
  });

  it('deny without an approver', async () => {
    const id = await request(exportOf());
    const { approval } = await deny(id);
    expect(approval).toMatchObject({ status: 'denied', approvedBy: null, decidedAt: expect.any(String) });
    expect(await audited(id)).toEqual(['transfer-approval.requested', 'transfer-approval.denied']);
  });

  it.each([approve, deny])(
    'are TRANSFER_APPROVAL_INVALID unless the request is pending: %p',
    async (decide) => {
      const expired = await request(exportOf());
      await shift(expired, '-15 minutes');
      const approved = await requestApproved(importOf());
      const denied = await request(exportOf(false));
      await deny(denied);
      for (const id of ['unknown', expired, approved, denied])
        expect(await codeOf(decide(id))).toBe('TRANSFER_APPROVAL_INVALID');
    },
  );

  it('count once when two administrators decide at the same time', async () => {
    const id = await request(exportOf());
    const codes = await Promise.all([codeOf(approve(id)), codeOf(deny(id))]);
    expect(codes.sort()).toEqual(['TRANSFER_APPROVAL_INVALID', 'ok']);
  });

  it('are INSUFFICIENT_PERMISSIONS below Admin', async () => {
    const id = await request(exportOf());
    const editor = session(40);
    for (const calling of [
      approveTransferApproval(editor, deps, id),
      denyTransferApproval(editor, deps, id),
      listTransferApprovals(editor, deps, { limit: 1 }),
    ])
      expect(await codeOf(calling)).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await find(id))?.status).toBe('pending');
  });
});

describe('listTransferApprovals', () => {
  it('shows expired requests as such, and filters by the present status', async () => {
    const [gone, waiting] = [await request(exportOf()), await request(importOf())];
    await shift(gone, '-15 minutes');
    expect((await list()).map(({ id, status }) => [id, status]).sort()).toEqual(
      [
        [gone, 'expired'],
        [waiting, 'pending'],
      ].sort(),
    );
    expect((await list('expired')).map(({ id }) => id)).toEqual([gone]);
    expect((await list('pending')).map(({ id }) => id)).toEqual([waiting]);
  });

  it('lists in pages, the newest first', async () => {
    for (let minute = 1; minute < 4; minute += 1)
      await shift(await request(importOf({ operationId: `i${minute}` })), `${minute} minutes`);
    const first = await listTransferApprovals(session(), deps, { limit: 2 });
    const { nextCursor: cursor } = first;
    const second = await listTransferApprovals(session(), deps, { limit: 2, cursor });
    const ids = [...first.items, ...second.items].map(({ operationId }) => operationId);
    expect([ids, second.nextCursor]).toEqual([['i3', 'i2', 'i1'], undefined]);
  });

  it('names a deleted user and token by their ids only', async () => {
    const id = await request(exportOf(), contextOf({ userId: 'gone', tokenId: 'gone' }));
    expect(await find(id)).toMatchObject({ requestedBy: { id: 'gone', name: null }, tokenName: null });
  });
});
