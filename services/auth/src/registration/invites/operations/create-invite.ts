import type { Context } from '@quire/context';
import { ulid } from 'ulid';
import { assertEmailAvailable } from '../../index.js';
import type { AuditLog } from '../../../audit/index.js';
import { generateLinkToken, type LinkOrigins } from '../../../mail/links/index.js';
import type { MailQueue } from '../../../mail/index.js';
import { addressHash } from '../../../site-key/index.js';
import { normaliseEmail } from '../../../users/index.js';
import { inviteDays, inviteUrl } from '../invite-link.js';

/**
 * Invites somebody; an older invite of the same address counts no longer (contract 28).
 * @returns the link to hand over, where no mail brings it.
 * @throws QuireError USER_EXISTS, VALIDATION_ERROR for what is no address, SERVICE_UNAVAILABLE while no more mails are
 * taken.
 */
export async function createInvite(
  ctx: Context,
  { mails, origins, audit }: { mails: MailQueue; origins: LinkOrigins; audit: AuditLog },
  sent: { email: string; role: number },
): Promise<string | undefined> {
  const email = normaliseEmail(sent.email);
  const origin = await origins.of(ctx);
  const { text, hash } = generateLinkToken();
  const id = ulid();
  await ctx.db.transaction(async (tx) => {
    await assertEmailAvailable(tx, email);
    await tx.query(
      `INSERT INTO invites (email, token_hash, user_id, role, mailed, invited_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 day')
       ON CONFLICT (email) DO UPDATE SET token_hash = excluded.token_hash, user_id = excluded.user_id,
         role = excluded.role, mailed = excluded.mailed, invited_by = excluded.invited_by,
         expires_at = excluded.expires_at, created_at = now()`,
      [email, hash, id, sent.role, mails.isConfigured, ctx.principal.userId, inviteDays],
    );
    // The mail gets a token of its own when it is written: no secret waits in the queue.
    if (mails.isConfigured) await mails.add(tx, ctx, { kind: 'invite', email, origin, sender: 'admin' });
    const target = { type: 'invite', id } as const;
    const details = { role: sent.role, addressHash: await addressHash(tx, email) };
    await audit.record(tx, { by: ctx, action: 'user.invited', target, details });
  });
  return mails.isConfigured ? undefined : inviteUrl(origin, text);
}
