import { columnsOf, type Queryable, type Row } from '@quire/database';
import { ulid } from '@quire/values';
import { User } from '../../users/index.js';
import { Passkey } from './passkey.entity.js';
import type { OwnPasskey, SignedInUser } from './passkeys.schemas.js';

/** Maximum number of passkeys of one user (spec document 1, Limits). */
export const maxPasskeys = 10;

/** Columns of a passkey in responses to its user. */
const columns = columnsOf(Passkey, {
  only: ['id', 'name', 'deviceType', 'backedUp', 'createdAt', 'lastUsedAt'],
});

/** The user of a new passkey. Registrations create the user later, with the same id. */
export type PasskeyOwner = Pick<Row<User>, 'id' | 'email' | 'name'>;

const ownerColumns = columnsOf(User, { only: ['id', 'email', 'name'] });

/** A credential descriptor of WebAuthn. */
export interface Descriptor {
  type: 'public-key';
  id: string;
  transports?: string[];
}

/** A passkey with the data for the verification of its signatures. */
export type StoredPasskey = Pick<Row<Passkey>, 'id' | 'credentialId' | 'userId' | 'publicKey' | 'counter'> & {
  /** The role of its user. */
  role: number;
};

/** @returns the user as the owner of a new passkey; undefined when there is no such user. */
export async function selectPasskeyOwner(
  sql: Queryable,
  userId: string | null,
): Promise<PasskeyOwner | undefined> {
  const [owner] = await sql.query<PasskeyOwner>(`SELECT ${ownerColumns} FROM users WHERE id = $1`, [userId]);
  return owner;
}

/** @returns the user of a sign-in; undefined when there is no such user. */
export async function selectSignedInUser(sql: Queryable, userId: string): Promise<SignedInUser | undefined> {
  const [user] = await sql.query<SignedInUser>('SELECT id, email, name, role FROM users WHERE id = $1', [
    userId,
  ]);
  return user;
}

/** @returns the role of a user, the lowest when there is no such user. */
export async function selectUserRole(sql: Queryable, userId: string): Promise<number> {
  const [user] = await sql.query<{ role: number }>('SELECT role FROM users WHERE id = $1', [userId]);
  return user?.role ?? 0;
}

/** @returns the passkey with a credential id; undefined when there is none. */
export async function selectStoredPasskey(
  sql: Queryable,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const [passkey] = await sql.query<StoredPasskey>(
    `SELECT p.id, p.credential_id AS "credentialId", p.user_id AS "userId", p.public_key AS "publicKey", p.counter, u.role
     FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1`,
    [credentialId],
  );
  return passkey;
}

/** @returns the passkeys of a user, oldest first. */
export async function selectPasskeys(sql: Queryable, userId: string | null): Promise<OwnPasskey[]> {
  return sql.query<OwnPasskey>(`SELECT ${columns} FROM passkeys WHERE user_id = $1 ORDER BY id`, [userId]);
}

/** @returns the number of passkeys of each of the users who have any. */
export function selectPasskeyCounts(
  sql: Queryable,
  userIds: readonly string[],
): Promise<{ userId: string; count: number }[]> {
  return sql.query<{ userId: string; count: number }>(
    `SELECT user_id AS "userId", count(*)::integer AS count FROM passkeys
     WHERE user_id = ANY($1) GROUP BY user_id`,
    [userIds],
  );
}

/** @returns the descriptors of a user's passkeys, oldest first. */
export async function selectDescriptors(sql: Queryable, userId: string): Promise<Descriptor[]> {
  const rows = await sql.query<{ id: string; transports: string[] }>(
    'SELECT credential_id AS id, transports FROM passkeys WHERE user_id = $1 ORDER BY id',
    [userId],
  );
  return rows.map(({ id, transports }) => toDescriptor(id, transports));
}

function toDescriptor(id: string, transports: string[] | null): Descriptor {
  return { type: 'public-key', id, ...(transports && transports.length > 0 ? { transports } : {}) };
}

/** @returns the user of an e-mail address with the descriptors of their passkeys; undefined without a user. */
export async function selectLoginPasskeys(
  sql: Queryable,
  email: string,
): Promise<{ userId: string; passkeys: Descriptor[] } | undefined> {
  const rows = await sql.query<{ userId: string; id: string | null; transports: string[] | null }>(
    `SELECT u.id AS "userId", p.credential_id AS id, p.transports
     FROM users u LEFT JOIN passkeys p ON p.user_id = u.id WHERE u.email = $1 ORDER BY p.id`,
    [email],
  );
  const [first] = rows;
  const passkeys = rows.flatMap(({ id, transports }) => (id === null ? [] : [toDescriptor(id, transports)]));
  return first && { userId: first.userId, passkeys };
}

/** Inserts a passkey with a new id. @returns undefined when its credential id is taken. */
export async function insertPasskey(
  tx: Queryable,
  passkey: Omit<Row<Passkey>, 'id' | 'createdAt' | 'lastUsedAt'>,
): Promise<OwnPasskey | undefined> {
  const { userId, credentialId, publicKey, counter, deviceType, backedUp, transports, name } = passkey;
  const [inserted] = await tx.query<OwnPasskey>(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, device_type, backed_up, transports, name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}`,
    [ulid(), userId, credentialId, publicKey, counter, deviceType, backedUp, transports, name],
  );
  return inserted;
}

/** Renames a passkey of a user. @returns undefined when the user has no such passkey. */
export async function updatePasskeyName(
  tx: Queryable,
  { id, userId, name }: { id: string; userId: string | null; name: string },
): Promise<OwnPasskey | undefined> {
  const [renamed] = await tx.query<OwnPasskey>(
    `UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING ${columns}`,
    [id, userId, name],
  );
  return renamed;
}

/**
 * Stores the counter and the time of a use. The counter must have increased, or stay 0.
 * @returns false when it has not, or the passkey has been deleted.
 */
export async function updatePasskeyCounter(
  tx: Queryable,
  { passkeyId, counter, isBackedUp }: { passkeyId: string; counter: number; isBackedUp: boolean },
): Promise<boolean> {
  const updated = await tx.query(
    `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = now()
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`,
    [passkeyId, counter, isBackedUp],
  );
  return updated.length > 0;
}

/** Deletes a passkey of a user. @returns whether there was one. */
export async function deletePasskey(tx: Queryable, id: string, userId: string | null): Promise<boolean> {
  const deleted = await tx.query('DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING id', [
    id,
    userId,
  ]);
  return deleted.length > 0;
}

/**
 * Locks the user, so that changes of their passkeys are serialised.
 * @returns the number of passkeys; false when there is no such user.
 */
export async function lockPasskeys(tx: Queryable, userId: string | null): Promise<number | false> {
  const users = await tx.query('SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  if (users.length === 0) return false;
  const [row] = await tx.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM passkeys WHERE user_id = $1',
    [userId],
  );
  return row?.count ?? 0;
}
