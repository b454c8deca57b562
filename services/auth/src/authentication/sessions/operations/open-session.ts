import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { createSessionToken } from '@quire/http-server';
import { tokenHash } from '../../api-tokens/index.js';
import { insertSession, trimSessions } from '../sessions.repository.js';

const maxUserAgentLength = 500;
/** Most sessions of one user: beyond them, the one that was used longest ago ends. */
const maxSessions = 100;

/**
 * Signs a user in: a new session at every login, whatever session the browser had before.
 * @param how the browser, as it names itself, and the origin at which it signs in
 * @returns the text of the session's cookie, which is stored nowhere.
 * @throws QuireError ACCOUNT_DISABLED.
 */
export async function openSession(
  tx: Queryable,
  userId: string,
  how: Pick<Context, 'clientAddress' | 'origin'> & { userAgent?: string | undefined },
): Promise<string> {
  const [user] = await tx.query<{ disabled: boolean }>(
    'UPDATE users SET last_login = now() WHERE id = $1 RETURNING disabled',
    [userId],
  );
  if (!user || user.disabled) throw new QuireError('ACCOUNT_DISABLED', 'This account is disabled');
  const { userAgent, clientAddress, origin } = how;
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
