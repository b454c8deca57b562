import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { auditFailedSignIn } from '../../../audit/index.js';
import { missingToken } from '../../../mail/links/index.js';
import type { PasskeyDeps } from '../../passkeys/index.js';
import { signIn } from '../../sessions/index.js';
import { tokenHash } from '../../api-tokens/index.js';

/**
 * Signs the user of a link in and uses the link up. Of several browsers one gets there. Whoever has the link reads the
 * user's mail, so the address is verified with it.
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
      const userId = await consumeLink(tx, tokenHash(token));
      setSubject(userId);
      await tx.query('UPDATE users SET email_verified = true WHERE id = $1 AND NOT email_verified', [userId]);
      return signIn(tx, { ctx, audit }, { userId, method: 'magic-link', userAgent });
    }),
  );
}

/** Uses a link up. @returns whose it was. @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED. */
async function consumeLink(tx: Transaction, hash: string): Promise<string> {
  const [link] = await tx.query<{ userId: string }>(
    `DELETE FROM magic_links l USING users u
     WHERE l.token_hash = $1 AND l.expires_at > now() AND u.id = l.user_id AND u.email = l.email
     RETURNING l.user_id AS "userId"`,
    [hash],
  );
  if (link) return link.userId;
  const over = await tx.query(
    'SELECT 1 AS found FROM magic_links WHERE token_hash = $1 AND expires_at <= now()',
    [hash],
  );
  if (over.length > 0) throw new QuireError('TOKEN_EXPIRED', 'This link has expired; ask for a new one');
  throw new QuireError('INVALID_TOKEN', 'This link is unknown or used');
}
