import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { AuditLog, SignInMethod } from '../../../audit/index.js';
import { browserName } from '../browser-name.js';
import { insertUserBrowser } from '../sessions.repository.js';
import { openSession } from './open-session.js';

/**
 * Signs a user in, and has the audit log tell of it.
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
