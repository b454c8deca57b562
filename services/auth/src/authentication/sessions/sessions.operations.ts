import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { createSessionToken } from '@quire/http-server';
import type { authApi } from '@quire/internal-api';
import type { CacheInvalidationBus } from '@quire/jobs';
import { notAuthenticated } from '@quire/operation';
import type { AuditLog, SignInMethod } from '../../audit/index.js';
import { tokenHash } from '../api-tokens/index.js';
import { browserName } from './browser-name.js';
import {
  deleteSession,
  insertSession,
  insertUserBrowser,
  selectMe,
  selectOwnSessions,
  selectVerifiedSession,
  trimSessions,
  updateLastLogin,
  updateWelcomed,
  type Me,
  type OwnSession,
} from './sessions.repository.js';

const maxUserAgentLength = 500;
/** Sessions of one user: beyond this number the least recently used session is deleted. */
const maxSessions = 100;

/** Dependencies of the session operations. */
interface SessionDeps {
  relay: CacheInvalidationBus;
  audit: AuditLog;
}

/**
 * Verifies a session by the SHA-256 of its cookie's text, and extends it.
 * @returns undefined for an unknown or expired session.
 */
export function verifySession(ctx: Context, tokenHash: string): Promise<authApi.VerifiedSession | undefined> {
  return selectVerifiedSession(ctx.db, tokenHash);
}

/** Whether the request has a session; a token does not sign in to pages. */
export function isSignedIn({ principal }: Context): boolean {
  return principal.kind === 'session';
}

/** @returns the caller, by session or token. @throws QuireError NOT_AUTHENTICATED when the user is deleted. */
export async function getMe(ctx: Context): Promise<Me> {
  const me = await selectMe(ctx.db, ctx.principal.userId);
  if (!me) throw notAuthenticated();
  return me;
}

/** Stores that the caller has dismissed the welcome. */
export function dismissWelcome(ctx: Context): Promise<void> {
  return updateWelcomed(ctx.db, ctx.principal.userId);
}

/** @returns the caller's open sessions, last used first. */
export function listOwnSessions(ctx: Context): Promise<OwnSession[]> {
  const { userId, sessionId } = ctx.principal;
  return selectOwnSessions(ctx.db, { userId, currentId: sessionId ?? null });
}

/** Signs the caller's session out. Without a session nothing happens. */
export async function signOut(ctx: Context, deps: SessionDeps): Promise<void> {
  const { sessionId } = ctx.principal;
  if (sessionId !== undefined) await closeSession(ctx, deps, { id: sessionId, action: 'session.closed' });
}

/** Ends one of the caller's sessions, in any browser. @throws QuireError NOT_FOUND */
export async function endOwnSession(ctx: Context, deps: SessionDeps, id: string): Promise<void> {
  if (!(await closeSession(ctx, deps, { id, action: 'session.ended' }))) throw notFound('session');
}

/**
 * Signs a user in: every login opens a new session, whether or not the browser has one.
 * @param client the browser, by its User-Agent header, and the origin at which it signs in
 * @returns the text of the session's cookie; only its hash is stored.
 * @throws QuireError ACCOUNT_DISABLED.
 */
export async function openSession(
  tx: Queryable,
  userId: string,
  client: Pick<Context, 'clientAddress' | 'origin'> & { userAgent?: string | undefined },
): Promise<string> {
  const user = await updateLastLogin(tx, userId);
  if (!user || user.disabled) throw new QuireError('ACCOUNT_DISABLED', 'This account is disabled');
  const { userAgent, clientAddress, origin } = client;
  const text = createSessionToken(origin);
  await insertSession(tx, {
    tokenHash: tokenHash(text),
    userId,
    userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    clientAddress,
  });
  await trimSessions(tx, userId, maxSessions);
  return text;
}

/**
 * Signs a user in and records it in the audit log.
 * @returns the text of the new session's cookie.
 * @throws QuireError ACCOUNT_DISABLED.
 */
export async function signIn(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { userId, method, userAgent }: { userId: string; method: SignInMethod; userAgent: string | undefined },
): Promise<string> {
  const { clientAddress, origin } = ctx;
  const session = await openSession(tx, userId, { clientAddress, origin, userAgent });
  const browser = browserName(userAgent ?? null);
  const isNewBrowser = await insertUserBrowser(tx, userId, browser);
  await audit.record(tx, {
    by: ctx,
    actorId: userId,
    action: 'session.opened',
    target: { type: 'user', id: userId },
    details: { method, ...(isNewBrowser ? { newBrowser: browser } : {}) },
  });
  return session;
}

/** Deletes one of the caller's sessions. @returns false when the caller has no such session. */
async function closeSession(
  ctx: Context,
  { relay, audit }: SessionDeps,
  { id, action }: { id: string; action: 'session.closed' | 'session.ended' },
): Promise<boolean> {
  const { userId, tenant } = ctx.principal;
  return ctx.db.transaction(async (tx) => {
    tx.afterCommit(() => relay.invalidate('credentials', tenant.id, userId ?? undefined));
    if (!(await deleteSession(tx, id, userId))) return false;
    const target = { type: 'session', id } as const;
    await audit.record(tx, { by: ctx, action, target, userId: userId ?? undefined });
    return true;
  });
}
