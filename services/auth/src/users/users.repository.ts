import {
  hasSqlState,
  likeContaining,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import type { UserResponse, UserQuery } from './users.schemas.js';

/** A user's own columns, without what other folders know of it. */
export type UserRow = Omit<UserResponse, 'credentialCount' | 'oauthProviders'>;

const columns = `id, email, name, avatar_url AS "avatarUrl", role, email_verified AS "emailVerified", disabled,
  created_at AS "createdAt", updated_at AS "updatedAt", last_login AS "lastLogin"`;

/** Lists go by creation, newest first. */
export const userOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** The rows of a page of users that match; `search` looks into name and e-mail. */
export async function selectUsers(
  sql: Queryable,
  { search, role }: Pick<UserQuery, 'search' | 'role'>,
  page: KeysetPage,
): Promise<UserRow[]> {
  const params = new Parameters();
  const conditions = [page.condition(params)];
  if (role !== undefined) conditions.push(`role = ${params.add(role)}`);
  if (search !== undefined) {
    const pattern = likeContaining(search);
    // Addresses are stored in lower case; what ILIKE makes of other letters depends on the database's locale.
    const email = `email LIKE ${params.add(pattern.toLowerCase(), 'text')}`;
    conditions.push(`(name ILIKE ${params.add(pattern, 'text')} OR ${email})`);
  }
  const text = `SELECT ${columns} FROM users WHERE ${conditions.join(' AND ')} ${page.order(params)}`;
  return sql.query<UserRow>(text, params.values);
}

export async function selectUser(sql: Queryable, id: string): Promise<UserRow | undefined> {
  const [user] = await sql.query<UserRow>(`SELECT ${columns} FROM users WHERE id = $1`, [id]);
  return user;
}

export async function countUsers(sql: Queryable): Promise<number> {
  const [row] = await sql.query<{ count: number }>('SELECT count(*) AS count FROM users');
  return row?.count ?? 0;
}

/** Whether a user, who may be disabled, has an address. Addresses are stored in lower case (decision 31). */
export async function isEmailTaken(sql: Queryable, email: string): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM users WHERE email = $1', [email.trim().toLowerCase()]);
  return rows.length > 0;
}

/**
 * Locks some users and every active administrator until the transaction ends, always in the same order, so that two who
 * change each other take turns.
 */
export async function lockUsersAndAdmins(tx: Queryable, ids: readonly string[]): Promise<UserRow[]> {
  return tx.query<UserRow>(
    `SELECT ${columns} FROM users WHERE id = ANY($1) OR (role = $2 AND NOT disabled)
     ORDER BY id FOR NO KEY UPDATE`,
    [ids, roles.ADMIN],
  );
}

/** Stores name, e-mail and role; a new address is not a verified one. @throws QuireError EMAIL_IN_USE */
export async function updateUserRow(
  tx: Queryable,
  { id, name, email, role }: Pick<UserRow, 'id' | 'name' | 'email' | 'role'>,
): Promise<UserRow> {
  try {
    const [stored] = await tx.query<UserRow>(
      `UPDATE users SET name = $2, email = $3, role = $4, updated_at = now(),
         email_verified = email_verified AND email = $3
       WHERE id = $1 RETURNING ${columns}`,
      [id, name, email, role],
    );
    if (!stored) throw new Error('The locked user no longer exists');
    return stored;
  } catch (error) {
    if (hasSqlState(error, sqlState.uniqueViolation))
      throw new QuireError('EMAIL_IN_USE', 'email: is already used by another user', { cause: error });
    throw error;
  }
}

export async function updateUserDisabled(tx: Queryable, id: string, disabled: boolean): Promise<void> {
  await tx.query('UPDATE users SET disabled = $2, updated_at = now() WHERE id = $1', [id, disabled]);
}
