import { columnsOf, type Queryable, type Row } from '@quire/database';
import { ulid } from 'ulid';
import { User } from '../../users/index.js';
import { Passkey } from './passkey.entity.js';
import type { OwnPasskey } from './passkeys.schemas.js';

/** Passkeys of one user (spec document 1, Limits). */
export const maxPasskeys = 10;

/** Columns of a passkey as its user sees it. */
const columns = columnsOf(Passkey, {
  only: ['id', 'name', 'deviceType', 'backedUp', 'createdAt', 'lastUsedAt'],
});

/** The user of a passkey that is created; the user may be created later, with the same id. */
export type PasskeyOwner = Pick<Row<User>, 'id' | 'email' | 'name'>;

const ownerColumns = columnsOf(User, { only: ['id', 'email', 'name'] });

/** A passkey as WebAuthn options list it. */
export interface Descriptor {
  type: 'public-key';
  id: string;
  transports?: string[];
}

export async function selectPasskeyOwner(
  sql: Queryable,
  userId: string | null,
): Promise<PasskeyOwner | undefined> {
  const [owner] = await sql.query<PasskeyOwner>(`SELECT ${ownerColumns} FROM users WHERE id = $1`, [userId]);
  return owner;
}

/** @returns the passkeys of a user, oldest first. */
export async function selectPasskeys(sql: Queryable, userId: string | null): Promise<OwnPasskey[]> {
  return sql.query<OwnPasskey>(`SELECT ${columns} FROM passkeys WHERE user_id = $1 ORDER BY id`, [userId]);
}

/** @returns the descriptors of a user's passkeys, oldest first. */
export async function selectDescriptors(sql: Queryable, userId: string): Promise<Descriptor[]> {
  const rows = await sql.query<{ id: string; transports: string[] }>(
    'SELECT credential_id AS id, transports FROM passkeys WHERE user_id = $1 ORDER BY id',
    [userId],
  );
  return rows.map(({ id, transports }) => descriptorOf(id, transports));
}

function descriptorOf(id: string, transports: string[] | null): Descriptor {
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
  const passkeys = rows.flatMap(({ id, transports }) => (id === null ? [] : [descriptorOf(id, transports)]));
  return first && { userId: first.userId, passkeys };
}

/** Inserts a passkey. @returns undefined when its credential id is taken. */
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

/** @returns the renamed passkey; undefined when the user has no such passkey. */
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

/** Deletes a passkey of a user. @returns whether there was one. */
export async function deletePasskey(tx: Queryable, id: string, userId: string | null): Promise<boolean> {
  const deleted = await tx.query('DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING id', [
    id,
    userId,
  ]);
  return deleted.length > 0;
}

/**
 * Locks the user, so that changes to the set of their passkeys are serialised.
 * @returns the number of passkeys, false when there is no such user.
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
