import { describe, expect, it } from '@jest/globals';
import { systemActor, type Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { timestampOf, type TransferApprovalRequested } from '@quire/jobs';
import type { RateLimiter } from '@quire/rate-limit';
import { LinkOrigins } from '../links/index.js';
import type { MailQueue, MailRequest } from '../index.js';
import { notifyTransferApprovalJob } from './notify-transfer-approval.js';

const inTenMinutes = new Date(Date.now() + 600_000);
const messageOf = (expiresAt = inTenMinutes): TransferApprovalRequested => ({
  $typeName: 'quire.transfer.v1.TransferApprovalRequested',
  tenantId: 'site',
  approvalId: 'approval',
  action: 'import',
  userId: 'bob',
  tokenId: 'token',
  expiresAt: timestampOf(expiresAt),
  origin: 'https://site.example',
});

/** Runs the job on a site with two administrators. */
async function run(
  message = messageOf(),
  { isConfigured = true, isLimited = (_: string): boolean => false } = {},
) {
  const added: (MailRequest & { sender?: string })[] = [];
  const rowsOf = (text: string) => {
    if (text.includes('role =')) return [{ email: 'ann@site.example' }, { email: 'cid@site.example' }];
    if (text.includes('api_tokens')) return [{ id: 'token', kind: 'personal', name: 'Agent' }];
    return [{ id: 'bob', name: null, email: 'bob@site.example' }];
  };
  const sql = { query: (text: string) => Promise.resolve(rowsOf(text)) };
  const db = { ...sql, transaction: (work: (tx: Queryable) => Promise<unknown>) => work(sql as Queryable) };
  const principal = systemActor({ id: 'site', database: null }, 'system:mail');
  const ctx = { principal, requestId: '1', clientAddress: null, origin: null, db } as unknown as Context;
  const mails = {
    isConfigured,
    add: (_: Queryable, __: Context, request: MailRequest) => {
      added.push(request);
      return Promise.resolve();
    },
  } as unknown as MailQueue;
  const limiter: RateLimiter = {
    consume: (_, key) => Promise.resolve({ allowed: !isLimited(key), retryAfterSeconds: 1 }),
    close: () => Promise.resolve(),
  };
  const origins = new LinkOrigins('https://public.example', (host) =>
    Promise.resolve(host === 'site.example'),
  );
  return { outcome: await notifyTransferApprovalJob(ctx, { mails, origins, limiter }, message), added };
}

describe('notifyTransferApprovalJob', () => {
  it('queues one mail per administrator, with the names of the user and the token', async () => {
    const { outcome, added } = await run();
    expect(outcome).toBe('queued');
    expect(added.map(({ email }) => email)).toEqual(['ann@site.example', 'cid@site.example']);
    expect(added[0]).toEqual({
      kind: 'transfer-approval',
      email: 'ann@site.example',
      origin: 'https://site.example',
      sender: 'site',
      subject: {
        title: 'Agent',
        path: '/_cms/admin/settings/transfer',
        approval: {
          action: 'import',
          requestedBy: 'bob@site.example',
          expiresAt: inTenMinutes.toISOString(),
        },
      },
    });
  });

  it('uses the public origin for a request at an unknown host', async () => {
    const { added } = await run({ ...messageOf(), origin: 'https://evil.example' });
    expect(added[0]?.origin).toBe('https://public.example');
  });

  it('leaves out addresses over their limit', async () => {
    const one = await run(messageOf(), { isLimited: (key) => key === 'site ann@site.example' });
    expect(one.added.map(({ email }) => email)).toEqual(['cid@site.example']);
    const both = await run(messageOf(), { isLimited: () => true });
    expect([both.outcome, both.added]).toEqual(['no-recipient', []]);
  });

  it('queues nothing for an expired request, and without a mail server', async () => {
    const expired = await run(messageOf(new Date(Date.now() - 1)));
    expect([expired.outcome, expired.added]).toEqual(['expired', []]);
    const disabled = await run(messageOf(), { isConfigured: false });
    expect([disabled.outcome, disabled.added]).toEqual(['disabled', []]);
  });
});
