import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { apiPrefix } from '@quire/http-server';
import type { RateLimiter } from '@quire/rate-limit';
import { auditFailedSignIn, type AuditLog } from '../../audit/index.js';
import { renderLinkMail, type Mail, type MailQueue, type MailRequest } from '../../mail/index.js';
import {
  consumeMailRateLimit,
  generateLinkToken,
  missingToken,
  type LinkOrigins,
} from '../../mail/links/index.js';
import { normaliseEmail, selectUser } from '../../users/index.js';
import { tokenHash } from '../api-tokens/index.js';
import type { PasskeyDeps } from '../passkeys/index.js';
import { signIn } from '../sessions/index.js';
import {
  consumeMagicLink,
  deleteExpiredMagicLinks,
  insertMagicLink,
  isExpiredMagicLink,
  linkMinutes,
  updateEmailVerified,
} from './magic-links.repository.js';

/** Whether users of a site may request links that sign them in. Administrators can send them recovery links anyway. */
export function offersMagicLinks({ principal }: Context): boolean {
  return principal.tenant.settings?.signIn?.magicLinks !== false;
}

/**
 * Queues a mail with a link that signs in (contract 28). `writeMagicLinkMail` looks the user up after the response.
 * @throws QuireError FORBIDDEN for a site without sign-in links, EMAIL_NOT_CONFIGURED, VALIDATION_ERROR for an invalid
 *   address.
 */
export async function sendMagicLink(
  ctx: Context,
  { mails, origins, limiter }: { mails: MailQueue; origins: LinkOrigins; limiter: RateLimiter },
  address: string,
): Promise<void> {
  if (!offersMagicLinks(ctx)) throw new QuireError('FORBIDDEN', 'This site sends no sign-in links');
  mails.assertConfigured();
  const email = normaliseEmail(address);
  if (!(await consumeMailRateLimit(ctx, limiter, { name: 'magic-link', email }))) return;
  const origin = await origins.of(ctx);
  await ctx.db.transaction((tx) => mails.add(tx, ctx, { kind: 'magic-link', email, origin }));
}

/**
 * Queues a mail with a link for a user who cannot sign in otherwise (contract 24). A disabled user gets no mail.
 * @throws QuireError NOT_FOUND, EMAIL_NOT_CONFIGURED, SERVICE_UNAVAILABLE while the mail queue is full.
 */
export async function sendRecoveryLink(
  ctx: Context,
  { mails, origins, audit }: { mails: MailQueue; origins: LinkOrigins; audit: AuditLog },
  userId: string,
): Promise<void> {
  const origin = await origins.of(ctx);
  await ctx.db.transaction(async (tx) => {
    const user = await selectUser(tx, userId);
    if (!user) throw notFound('user');
    mails.assertConfigured();
    await mails.add(tx, ctx, { kind: 'magic-link', email: user.email, origin, sender: 'admin' });
    const target = { type: 'user', id: userId } as const;
    await audit.record(tx, { by: ctx, action: 'user.recovery-sent', target });
  });
}

/**
 * Creates a link that signs its user in once; only the hash of its token is stored.
 * @param origin origin of the link
 * @returns the link and its user's id; undefined when no active user has the address.
 */
export async function createMagicLink(
  tx: Queryable,
  { email, origin }: { email: string; origin: string },
): Promise<{ link: string; userId: string } | undefined> {
  const { text, hash } = generateLinkToken();
  await deleteExpiredMagicLinks(tx);
  const inserted = await insertMagicLink(tx, { tokenHash: hash, email });
  return inserted && { link: `${origin}${apiPrefix}/auth/magic-link/verify?token=${text}`, ...inserted };
}

/** Creates a link. @returns the mail with it; null when no active user has the address. */
export async function writeMagicLinkMail(
  tx: Queryable,
  { email, origin }: Pick<MailRequest, 'email' | 'origin'>,
): Promise<Mail | null> {
  const created = await createMagicLink(tx, { email, origin });
  if (!created) return null;
  const { host } = new URL(origin);
  return renderLinkMail({
    to: email,
    subject: `Sign in to ${host}`,
    lead: `Follow this link to sign in to ${host}:`,
    label: 'Sign in',
    link: created.link,
    note: `The link works once, for ${linkMinutes} minutes. If you did not ask for it, ignore this message.`,
  });
}

/**
 * Signs the user of a link in and deletes the link. Of concurrent requests one succeeds. The link was mailed, so
 * its use verifies the address.
 * @returns the text of the new session's cookie.
 * @throws QuireError MISSING_PARAM, INVALID_TOKEN for a link that is unknown or used, TOKEN_EXPIRED, ACCOUNT_DISABLED.
 */
export async function verifyMagicLink(
  ctx: Context,
  { audit, limiter }: PasskeyDeps,
  { token, userAgent }: { token: string | undefined; userAgent: string | undefined },
): Promise<string> {
  if (!token) throw missingToken();
  return auditFailedSignIn(ctx, { audit, limiter, method: 'magic-link' }, (setSubject) =>
    ctx.db.transaction(async (tx) => {
      const hash = tokenHash(token);
      const userId = await consumeMagicLink(tx, hash);
      if (userId === undefined) throw await invalidLinkError(tx, hash);
      setSubject(userId);
      await updateEmailVerified(tx, userId);
      return signIn(tx, { ctx, audit }, { userId, method: 'magic-link', userAgent });
    }),
  );
}

async function invalidLinkError(tx: Queryable, hash: string): Promise<QuireError> {
  return (await isExpiredMagicLink(tx, hash))
    ? new QuireError('TOKEN_EXPIRED', 'This link has expired; ask for a new one')
    : new QuireError('INVALID_TOKEN', 'This link is unknown or used');
}
