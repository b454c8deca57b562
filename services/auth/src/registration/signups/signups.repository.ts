import { columnsOf, type Queryable, type Row } from '@quire/database';
import { Signup } from './signup.entity.js';

/** Lifetime of a signup link. */
export const signupMinutes = 15;

/** Expired links are retained, since their error differs from that of unknown links. */
const retentionDays = 1;

/** The address and the future id of a user who signs up. */
export type SignupRow = Pick<Row<Signup>, 'email' | 'userId'>;

const columns = columnsOf(Signup, { only: ['email', 'userId'] });

/** Locks the signup of a link, by the SHA-256 of its token, until the end of the transaction. */
export async function lockSignup(
  tx: Queryable,
  hash: string,
): Promise<(SignupRow & { isLive: boolean }) | undefined> {
  const [signup] = await tx.query<SignupRow & { isLive: boolean }>(
    `SELECT ${columns}, expires_at > now() AS "isLive" FROM signups WHERE token_hash = $1 FOR UPDATE`,
    [hash],
  );
  return signup;
}

/** Inserts a signup, which expires after `signupMinutes`. @returns false when a user has the address. */
export async function insertSignup(
  tx: Queryable,
  { tokenHash, email, userId }: Omit<Row<Signup>, 'expiresAt'>,
): Promise<boolean> {
  const inserted = await tx.query(
    `INSERT INTO signups (token_hash, email, user_id, expires_at)
     SELECT $1, $2, $3, now() + $4 * interval '1 minute' WHERE NOT EXISTS (SELECT 1 FROM users WHERE email = $2)
     RETURNING email`,
    [tokenHash, email, userId, signupMinutes],
  );
  return inserted.length > 0;
}

/** Deletes the signup of a used link. */
export async function deleteSignup(tx: Queryable, hash: string): Promise<void> {
  await tx.query('DELETE FROM signups WHERE token_hash = $1', [hash]);
}

/** Deletes links that expired more than `retentionDays` ago. */
export async function deleteExpiredSignups(tx: Queryable): Promise<void> {
  await tx.query(`DELETE FROM signups WHERE expires_at < now() - $1 * interval '1 day'`, [retentionDays]);
}
