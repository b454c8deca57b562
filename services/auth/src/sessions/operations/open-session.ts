import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { tokenHash } from '../../tokens/index.js';
import { idleDays, newSessionText } from '../session-cookie.js';

const maximumUserAgent = 500;

/**
 * Signs a user in: a new session at every login, whatever session the browser had before.
 * @param how the browser, as it names itself
 * @returns the text of the session's cookie, which is stored nowhere.
 * @throws QuireError ACCOUNT_DISABLED.
 */
export async function openSession(
  tx: Sql,
  userId: string,
  how: Pick<Context, 'clientAddress'> & { userAgent?: string | undefined },
): Promise<string> {
  const [user] = await tx.query<{ disabled: boolean }>(
    'UPDATE users SET last_login = now() WHERE id = $1 RETURNING disabled',
    [userId],
  );
  if (!user || user.disabled) throw new QuireError('ACCOUNT_DISABLED', 'This account is disabled');
  const text = newSessionText();
  await tx.query(
    `INSERT INTO sessions (id, token_hash, user_id, user_agent, client_address, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 day')`,
    [
      ulid(),
      tokenHash(text),
      userId,
      how.userAgent?.slice(0, maximumUserAgent) ?? null,
      how.clientAddress,
      idleDays,
    ],
  );
  return text;
}
