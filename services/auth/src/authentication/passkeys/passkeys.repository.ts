import type { Queryable } from '@quire/database';
import type { OwnPasskey } from './passkeys.schemas.js';

/** Most passkeys of one user (spec document 1, Limits). */
export const maxPasskeys = 10;

/** Columns of a passkey as its user sees it. */
export const passkeyColumns = `id, name, device_type AS "deviceType", backed_up AS "backedUp",
  created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

/** A passkey as browsers are told of it. */
export interface Descriptor {
  type: 'public-key';
  id: string;
  transports?: string[];
}

/** The passkeys of a user, oldest first. */
export async function selectPasskeys(sql: Queryable, userId: string | null): Promise<OwnPasskey[]> {
  return sql.query<OwnPasskey>(`SELECT ${passkeyColumns} FROM passkeys WHERE user_id = $1 ORDER BY id`, [
    userId,
  ]);
}

/** What browsers are told of a user's passkeys. */
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

/**
 * The user of an e-mail address with what browsers are told of their passkeys; undefined when nobody has the address.
 */
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

/**
 * Locks the user, so that changes to the set of their passkeys are serialised.
 * @returns how many there are, false when there is no such user.
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
