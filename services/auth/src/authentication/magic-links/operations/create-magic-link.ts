import { apiPrefix } from '@quire/http-server';
import type { Queryable } from '@quire/database';
import { generateLinkToken } from '../../../mail/links/index.js';

/** How long a link lasts (spec document 1, Limits). */
export const linkMinutes = 15;
/** Links that are over stay a while, so that they are told from those that never were. */
const retentionDays = 1;

/**
 * Makes a link that signs a user in once; its secret is stored as a hash alone.
 * @param origin where the link leads
 * @returns the link and whose it is; undefined when nobody who may sign in has the address.
 */
export async function createMagicLink(
  tx: Queryable,
  { email, origin }: { email: string; origin: string },
): Promise<{ link: string; userId: string } | undefined> {
  const { text, hash } = generateLinkToken();
  await tx.query(`DELETE FROM magic_links WHERE expires_at < now() - $1 * interval '1 day'`, [retentionDays]);
  const [made] = await tx.query<{ userId: string }>(
    `INSERT INTO magic_links (token_hash, user_id, email, expires_at)
     SELECT $1, id, email, now() + $3 * interval '1 minute' FROM users WHERE email = $2 AND NOT disabled
     RETURNING user_id AS "userId"`,
    [hash, email, linkMinutes],
  );
  return made && { link: `${origin}${apiPrefix}/auth/magic-link/verify?token=${text}`, userId: made.userId };
}
