import type { Context } from '@quire/context';
import { cursorScope, KeysetPage, type Queryable } from '@quire/database';
import { notFound } from '@quire/errors';
import { roleNamed } from '@quire/permissions';
import { pagePaths } from '@quire/ui';
import { ulid } from '@quire/values';
import { auditFailedSignIn, type AuditLog, type WithdrawalReason } from '../../audit/index.js';
import {
  createRegistrationOptions,
  type PasskeyDeps,
  type RegistrationOptions,
  type RelyingPartyFactory,
} from '../../authentication/passkeys/index.js';
import { renderLinkMail, type Mail, type MailQueue, type MailRequest } from '../../mail/index.js';
import { generateLinkToken, missingToken, type LinkOrigins } from '../../mail/links/index.js';
import { addressHash } from '../../site-key/index.js';
import { normaliseEmail } from '../../users/index.js';
import { assertEmailAvailable, createAccount, type LinkRegistrationInput } from '../index.js';
import {
  deleteInvite,
  deleteInviteById,
  deleteInvitesBy,
  inviteDays,
  inviteOrder,
  lockInvite,
  selectPendingInvites,
  updateInviteToken,
  upsertInvite,
  type PendingInvite,
} from './invites.repository.js';

/**
 * Invites an e-mail address and replaces an earlier invitation of the address (contract 28).
 * @returns the link for the administrator to send; undefined when the link is mailed.
 * @throws QuireError USER_EXISTS, VALIDATION_ERROR for an invalid address, SERVICE_UNAVAILABLE while the mail queue is
 *   full.
 */
export async function createInvite(
  ctx: Context,
  { mails, origins, audit }: { mails: MailQueue; origins: LinkOrigins; audit: AuditLog },
  input: { email: string; role: number },
): Promise<string | undefined> {
  const { role } = input;
  const email = normaliseEmail(input.email);
  const origin = await origins.of(ctx);
  const { text, hash } = generateLinkToken();
  const id = ulid();
  const mailed = mails.isConfigured;
  await ctx.db.transaction(async (tx) => {
    await assertEmailAvailable(tx, email);
    const invitedBy = ctx.principal.userId;
    await upsertInvite(tx, { email, tokenHash: hash, userId: id, role, mailed, invitedBy });
    // `writeInviteMail` replaces the token: no secret is stored in the mail queue.
    if (mailed) await mails.add(tx, ctx, { kind: 'invite', email, origin, sender: 'admin' });
    const target = { type: 'invite', id } as const;
    const details = { role, addressHash: await addressHash(tx, email) };
    await audit.record(tx, { by: ctx, action: 'user.invited', target, details });
  });
  return mailed ? undefined : inviteUrl(origin, text);
}

/** @returns one page of the pending invitations, newest first. @throws QuireError INVALID_CURSOR */
export async function listInvites(
  ctx: Context,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: PendingInvite[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listInvites', tenant: ctx.principal.tenant.id, filters: {} });
  const page = new KeysetPage(inviteOrder, scope, { cursor, limit });
  const rows = await selectPendingInvites(ctx.db, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

/** Withdraws an invitation: its link becomes invalid. @throws QuireError NOT_FOUND */
export async function withdrawInvite(ctx: Context, audit: AuditLog, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const deleted = await deleteInviteById(tx, id);
    if (!deleted) throw notFound('invitation');
    await auditWithdrawn(tx, { ctx, audit }, { id, email: deleted.email, reason: 'withdrawn' });
  });
}

/** Withdraws the pending invitations of an inviter, in the transaction that removes their right to invite. */
export async function withdrawUserInvites(
  tx: Queryable,
  deps: { ctx: Context; audit: AuditLog },
  { userId, reason }: { userId: string; reason: WithdrawalReason },
): Promise<void> {
  for (const invite of await deleteInvitesBy(tx, userId))
    await auditWithdrawn(tx, deps, { ...invite, reason });
}

/**
 * @returns address and role of an invitation (contract 28).
 * @throws QuireError MISSING_PARAM, INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS.
 */
export async function getInvite(
  ctx: Context,
  token: string | undefined,
): Promise<{ email: string; role: number; roleName: string }> {
  if (!token) throw missingToken();
  return ctx.db.transaction(async (tx) => {
    const { email, role } = await lockInvite(tx, token);
    await assertEmailAvailable(tx, email);
    return { email, role, roleName: roleNamed(role) ?? '' };
  });
}

/**
 * @returns the options with which the invitee's browser creates a passkey.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS.
 */
export async function startInvitePasskey(
  ctx: Context,
  parties: RelyingPartyFactory,
  { token, name }: { token: string; name: string | null },
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  return ctx.db.transaction(async (tx) => {
    const { email, userId } = await lockInvite(tx, token);
    await assertEmailAvailable(tx, email);
    return createRegistrationOptions(tx, party, { purpose: 'invite', owner: { id: userId, email, name } });
  });
}

/**
 * Creates the invitee's account with their passkey, signs them in and deletes the invitation.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS; for the passkey as `registerPasskey`.
 */
export async function acceptInvite(
  ctx: Context,
  { parties, audit, limiter }: PasskeyDeps,
  { token, credential, name, userAgent }: LinkRegistrationInput,
): ReturnType<typeof createAccount> {
  const party = parties.of(ctx);
  return auditFailedSignIn(ctx, { audit, limiter, method: 'invite' }, () =>
    ctx.db.transaction(async (tx) => {
      const { email, userId, role, mailed } = await lockInvite(tx, token);
      const account = { id: userId, email, name, role, isEmailVerified: mailed, credential, userAgent };
      const created = await createAccount(tx, { ctx, party, audit }, { ...account, purpose: 'invite' });
      await deleteInvite(tx, email);
      return created;
    }),
  );
}

/** Gives a pending invitation a new link. @returns the mail with it; null when the invitation is no longer pending. */
export async function writeInviteMail(
  tx: Queryable,
  { email, origin }: Pick<MailRequest, 'email' | 'origin'>,
): Promise<Mail | null> {
  const { text, hash } = generateLinkToken();
  if (!(await updateInviteToken(tx, email, hash))) return null;
  const { host } = new URL(origin);
  return renderLinkMail({
    to: email,
    subject: `You are invited to ${host}`,
    lead: `You are invited to join ${host}. Follow this link to create your account:`,
    label: 'Accept the invitation',
    link: inviteUrl(origin, text),
    note: `The link works once, for ${inviteDays} days. If you did not expect it, ignore this message.`,
  });
}

/** The URL of the invitation's page. */
function inviteUrl(origin: string, token: string): string {
  return `${origin}${pagePaths.invite}?token=${token}`;
}

async function auditWithdrawn(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { id, email, reason }: { id: string; email: string; reason: WithdrawalReason },
): Promise<void> {
  await audit.record(tx, {
    by: ctx,
    action: 'invite.withdrawn',
    target: { type: 'invite', id },
    details: { addressHash: await addressHash(tx, email), reason },
  });
}
