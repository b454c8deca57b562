import type { Queryable } from '@quire/database';
import type { authApi } from '@quire/internal-api';

/** The user of an edge identity, compared with its assertion. */
export interface EdgeUserRow {
  id: string;
  role: number;
  disabled: boolean;
  /** The newest assertion so far; null before the first sign-in. */
  assertionHash: string | null;
  /** Whether the identity's assertion is at least as new. */
  isNewest: boolean;
}

/** An assertion, by its hash. */
type Assertion = authApi.EdgeUserRequest['assertion'];

/** @returns the user of an e-mail address; undefined when there is none. */
export async function selectEdgeUser(
  sql: Queryable,
  email: string,
  { issuedAt }: Assertion,
): Promise<EdgeUserRow | undefined> {
  const [user] = await sql.query<EdgeUserRow>({
    prepared: true,
    text: `SELECT u.id, u.role, u.disabled, s.assertion_hash AS "assertionHash",
        s.issued_at IS NULL OR s.issued_at <= $2 AS "isNewest"
      FROM users u LEFT JOIN edge_sign_ins s ON s.user_id = u.id WHERE u.email = $1`,
    values: [email, issuedAt],
  });
  return user;
}

/** Stores the assertion of a sign-in, unless it is older than the stored one. @returns whether it is a new one. */
export async function upsertEdgeSignIn(
  tx: Queryable,
  userId: string,
  { hash, issuedAt }: Assertion,
): Promise<boolean> {
  const stored = await tx.query(
    `INSERT INTO edge_sign_ins AS s (user_id, assertion_hash, issued_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET assertion_hash = excluded.assertion_hash, issued_at = excluded.issued_at
       WHERE s.assertion_hash <> excluded.assertion_hash AND s.issued_at <= excluded.issued_at
     RETURNING user_id`,
    [userId, hash, issuedAt],
  );
  return stored.length > 0;
}

/** Stores the role of a user. */
export async function updateUserRole(tx: Queryable, userId: string, role: number): Promise<void> {
  await tx.query('UPDATE users SET role = $2, updated_at = now() WHERE id = $1', [userId, role]);
}
