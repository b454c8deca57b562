import {
  columnsOf,
  hasSqlState,
  likeContaining,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
  type Row,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import type { authApi } from '@quire/internal-api';
import { roles } from '@quire/permissions';
import { User } from './user.entity.js';
import type { UserQuery } from './users.schemas.js';

/** A user without credentials and linked accounts. */
export type UserRow = Omit<Row<User>, 'welcomed'>;

const columns = columnsOf(User, { except: ['welcomed'] });

const publicColumns = columnsOf(User, { only: ['id', 'name', 'email', 'avatarUrl'] });

/** Lists are ordered by creation, newest first. */
export const userOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** @returns the rows of one page; `search` matches name and e-mail address. */
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
    // Addresses are stored in lower case. ILIKE on other letters depends on the database's locale.
    const email = `email LIKE ${params.add(pattern.toLowerCase(), 'text')}`;
    conditions.push(`(name ILIKE ${params.add(pattern, 'text')} OR ${email})`);
  }
  const text = `SELECT ${columns} FROM users WHERE ${conditions.join(' AND ')} ${page.order(params)}`;
  return sql.query<UserRow>(text, params.values);
}

/** @returns undefined when there is no such user. */
export async function selectUser(sql: Queryable, id: string): Promise<UserRow | undefined> {
  const [user] = await sql.query<UserRow>(`SELECT ${columns} FROM users WHERE id = $1`, [id]);
  return user;
}

/** @returns the users with these ids, with the columns for other services, ordered by id. */
export function selectPublicUsers(sql: Queryable, ids: readonly string[]): Promise<authApi.PublicUser[]> {
  return sql.query(`SELECT ${publicColumns} FROM users WHERE id = ANY($1) ORDER BY id`, [ids]);
}

/** The ids of users, active or disabled, by their address. @param emails normalised by `normaliseEmail` */
export async function selectIdsByEmail(
  sql: Queryable,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; email: string }>(
    'SELECT id, email FROM users WHERE email = ANY($1)',
    [emails],
  );
  return new Map(rows.map(({ id, email }) => [email, id]));
}

/** @returns the number of all users, disabled ones included. */
export async function countUsers(sql: Queryable): Promise<number> {
  const [row] = await sql.query<{ count: number }>('SELECT count(*) AS count FROM users');
  return row?.count ?? 0;
}

/** Whether a user, active or disabled, has an address. Addresses are stored in lower case (decision 31). */
export async function isEmailTaken(sql: Queryable, email: string): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM users WHERE email = $1', [email.trim().toLowerCase()]);
  return rows.length > 0;
}

/** Whether an active user has an address, normalised by `normaliseEmail`. */
export async function isActiveUserEmail(sql: Queryable, email: string): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM users WHERE email = $1 AND NOT disabled', [email]);
  return rows.length > 0;
}

/** Whether an active administrator has an address, normalised by `normaliseEmail`. */
export async function isActiveAdminEmail(sql: Queryable, email: string): Promise<boolean> {
  return (await selectAdminEmails(sql)).includes(email);
}

/** Addresses of all administrators who are not disabled, ordered by id. */
export async function selectAdminEmails(sql: Queryable): Promise<string[]> {
  const admins = await sql.query<{ email: string }>(
    'SELECT email FROM users WHERE role = $1 AND NOT disabled ORDER BY id',
    [roles.ADMIN],
  );
  return admins.map(({ email }) => email);
}

/** @returns the address of a user; undefined when there is no such user. */
export async function selectUserEmail(sql: Queryable, id: string): Promise<string | undefined> {
  const [user] = await sql.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [id]);
  return user?.email;
}

/**
 * Locks users and every active administrator until the transaction ends, in a fixed order, so that two administrators
 * who update each other are serialised.
 */
export async function lockUsersAndAdmins(tx: Queryable, ids: readonly string[]): Promise<UserRow[]> {
  return tx.query<UserRow>(
    `SELECT ${columns} FROM users WHERE id = ANY($1) OR (role = $2 AND NOT disabled)
     ORDER BY id FOR NO KEY UPDATE`,
    [ids, roles.ADMIN],
  );
}

/** Updates name, e-mail and role; a new address is unverified. @throws QuireError EMAIL_IN_USE */
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

/** Disables or enables a user. */
export async function updateUserDisabled(tx: Queryable, id: string, disabled: boolean): Promise<void> {
  await tx.query('UPDATE users SET disabled = $2, updated_at = now() WHERE id = $1', [id, disabled]);
}

/** The columns of a new user. */
export interface NewUserRow {
  id: string;
  /** Normalised by `normaliseEmail`. */
  email: string;
  name: string | null;
  role: number;
  isEmailVerified: boolean;
}

/** Inserts a user. @returns false when the address is taken. */
export async function insertUser(
  sql: Queryable,
  { id, email, name, role, isEmailVerified }: NewUserRow,
): Promise<boolean> {
  const inserted = await sql.query(
    `INSERT INTO users (id, email, name, role, email_verified) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, email, name, role, isEmailVerified],
  );
  return inserted.length > 0;
}
