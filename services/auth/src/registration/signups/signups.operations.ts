import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { roleNamed } from '@quire/permissions';
import type { RateLimiter } from '@quire/rate-limit';
import { pagePaths } from '@quire/ui';
import { ulid } from '@quire/values';
import { auditFailedSignIn } from '../../audit/index.js';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import {
  createRegistrationOptions,
  type PasskeyDeps,
  type RegistrationOptions,
} from '../../authentication/passkeys/index.js';
import { renderLinkMail, type Mail, type MailQueue, type MailRequest } from '../../mail/index.js';
import {
  consumeMailRateLimit,
  generateLinkToken,
  missingToken,
  type LinkOrigins,
} from '../../mail/links/index.js';
import {
  assertAcceptsSignups,
  defaultRoleForDomain,
  type DefaultRolePolicy,
} from '../../users/allowed-domains/index.js';
import { normaliseEmail } from '../../users/index.js';
import { assertEmailAvailable, createAccount, type LinkRegistrationInput } from '../index.js';
import {
  deleteExpiredSignups,
  deleteSignup,
  insertSignup,
  lockSignup,
  signupMinutes,
  type SignupRow,
} from './signups.repository.js';

/**
 * Queues a mail with a signup link (contract 28). `writeSignupMail` checks the address after the response, which
 * therefore reveals nothing about it.
 * @throws QuireError DOMAIN_NOT_ALLOWED for a site without signups, EMAIL_NOT_CONFIGURED, VALIDATION_ERROR for an
 *   invalid address.
 */
export async function requestSignup(
  ctx: Context,
  { mails, origins, limiter }: { mails: MailQueue; origins: LinkOrigins; limiter: RateLimiter },
  address: string,
): Promise<void> {
  assertAcceptsSignups(ctx);
  mails.assertConfigured();
  const email = normaliseEmail(address);
  if (!(await consumeMailRateLimit(ctx, limiter, { name: 'signup', email }))) return;
  const origin = await origins.of(ctx);
  await ctx.db.transaction((tx) => mails.add(tx, ctx, { kind: 'signup', email, origin }));
}

/**
 * @returns address and future role of the user of a signup link (contract 28).
 * @throws QuireError MISSING_PARAM, INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED.
 */
export async function getSignup(
  ctx: Context,
  defaultRoles: DefaultRolePolicy,
  token: string | undefined,
): Promise<{ email: string; role: number; roleName: string }> {
  if (!token) throw missingToken();
  const { email, role } = await ctx.db.transaction((tx) => lockAllowedSignup(ctx, tx, defaultRoles, token));
  return { email, role, roleName: roleNamed(role) ?? '' };
}

/**
 * @returns the options with which the browser of the new user creates a passkey.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED.
 */
export async function startSignupPasskey(
  ctx: Context,
  { parties, defaultRoles }: Pick<PasskeyDeps, 'parties'> & { defaultRoles: DefaultRolePolicy },
  { token, name }: { token: string; name: string | null },
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  return ctx.db.transaction(async (tx) => {
    const { email, userId } = await lockAllowedSignup(ctx, tx, defaultRoles, token);
    return createRegistrationOptions(tx, party, { purpose: 'signup', owner: { id: userId, email, name } });
  });
}

/**
 * Creates the account of the user of a signup link, signs them in and deletes the link. Other links of the address then
 * fail with USER_EXISTS.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED; for the passkey as
 *   `registerPasskey`.
 */
export async function completeSignup(
  ctx: Context,
  {
    parties,
    audit,
    limiter,
    defaultRoles,
  }: Pick<PasskeyDeps, 'parties' | 'audit' | 'limiter'> & { defaultRoles: DefaultRolePolicy },
  { token, credential, name, userAgent }: LinkRegistrationInput,
): ReturnType<typeof createAccount> {
  const party = parties.of(ctx);
  return auditFailedSignIn(ctx, { audit, limiter, method: 'signup' }, () =>
    ctx.db.transaction(async (tx) => {
      const { email, userId, role } = await lockAllowedSignup(ctx, tx, defaultRoles, token);
      const account = { id: userId, email, name, role, isEmailVerified: true, credential, userAgent };
      const created = await createAccount(tx, { ctx, party, audit }, { ...account, purpose: 'signup' });
      await deleteSignup(tx, tokenHash(token));
      return created;
    }),
  );
}

/**
 * Creates a signup link.
 * @returns the mail with the link; null when the domain is not allowed, or a user has the address.
 */
export async function writeSignupMail(
  tx: Queryable,
  { email, origin }: Pick<MailRequest, 'email' | 'origin'>,
): Promise<Mail | null> {
  await deleteExpiredSignups(tx);
  if ((await defaultRoleForDomain(tx, email)) === undefined) return null;
  const { text, hash } = generateLinkToken();
  if (!(await insertSignup(tx, { tokenHash: hash, email, userId: ulid() }))) return null;
  const { host } = new URL(origin);
  return renderLinkMail({
    to: email,
    subject: `Your account at ${host}`,
    lead: `Follow this link to create your account at ${host}:`,
    label: 'Create my account',
    link: `${origin}${pagePaths.signup}?token=${text}`,
    note: `The link works once, for ${signupMinutes} minutes. If you did not request it, ignore this message.`,
  });
}

/**
 * Locks the signup of a link until the end of the transaction, with the current default role of its domain.
 * @throws QuireError INVALID_TOKEN for a link that is unknown or used, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED.
 */
async function lockAllowedSignup(
  ctx: Context,
  tx: Queryable,
  defaultRoles: DefaultRolePolicy,
  token: string,
): Promise<SignupRow & { role: number }> {
  assertAcceptsSignups(ctx);
  const signup = await lockSignup(tx, tokenHash(token));
  if (!signup) throw new QuireError('INVALID_TOKEN', 'This link is unknown or used');
  if (!signup.isLive) throw new QuireError('TOKEN_EXPIRED', 'This link has expired; ask for a new one');
  const { email, userId } = signup;
  await assertEmailAvailable(tx, email);
  const role = await defaultRoleForDomain(tx, email);
  if (role === undefined)
    throw new QuireError('DOMAIN_NOT_ALLOWED', 'Users of this domain can no longer sign up');
  return { email, userId, role: defaultRoles.cap(role) };
}
