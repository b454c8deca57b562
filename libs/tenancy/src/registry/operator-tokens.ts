import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '@quire/database';
import { ulid } from '@quire/values';

/** What an operator may do: a viewer reads, an operator also changes queues and sites. */
export const operatorRoles = ['viewer', 'operator'] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/** The identity of an operator, above all sites (decision 50). */
export interface Operator {
  /** Id of the token. */
  id: string;
  /** Name of the token, for lists and the log of operators. */
  name: string;
  role: OperatorRole;
  /** SHA-256 of the token, hexadecimal. */
  hash: string;
}

/** A token in lists. Times are ISO 8601. */
export interface ListedOperatorToken extends Omit<Operator, 'hash'> {
  createdAt: string;
  lastUsedAt: string | null;
  /** Null: it does not expire. */
  expiresAt: string | null;
}

/** Differs from the prefix of personal access tokens: secret scanners tell them apart. */
const operatorTokenPrefix = 'qot_';
const randomByteCount = 32;

const columns = 'id, name, role, token_hash AS hash';
const isValid = '(expires_at IS NULL OR expires_at > now())';

/** Creates a token. Its text is stored nowhere. @param sql the registry's schema */
export async function createOperatorToken(
  sql: Queryable,
  { name, role, expiresAt }: { name: string; role: OperatorRole; expiresAt: Date | null },
): Promise<{ id: string; text: string }> {
  const id = ulid();
  const text = operatorTokenPrefix + randomBytes(randomByteCount).toString('base64url');
  await sql.query(
    'INSERT INTO operator_tokens (id, name, role, token_hash, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [id, name, role, hashOf(text), expiresAt],
  );
  return { id, text };
}

/** All tokens, the newest first. */
export function listOperatorTokens(sql: Queryable): Promise<ListedOperatorToken[]> {
  return sql.query(
    `SELECT id, name, role, created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
     FROM operator_tokens ORDER BY id DESC`,
  );
}

/** Deletes a token. @returns its name; undefined if there is none with the id */
export async function deleteOperatorToken(sql: Queryable, id: string): Promise<string | undefined> {
  const [row] = await sql.query<{ name: string }>(
    'DELETE FROM operator_tokens WHERE id = $1 RETURNING name',
    [id],
  );
  return row?.name;
}

/** The operator of a token; undefined if the token is unknown, revoked or expired. */
export async function findOperatorByToken(sql: Queryable, text: string): Promise<Operator | undefined> {
  if (!text.startsWith(operatorTokenPrefix)) return undefined;
  // The look-up compares hashes: its time depends on no part of the token.
  const [row] = await sql.query<Operator>(
    `SELECT ${columns} FROM operator_tokens WHERE token_hash = $1 AND ${isValid}`,
    [hashOf(text)],
  );
  return row;
}

/** The operator of a token's id; undefined if the token was revoked or has expired. */
export async function findOperatorById(sql: Queryable, id: string): Promise<Operator | undefined> {
  const [row] = await sql.query<Operator>(
    `SELECT ${columns} FROM operator_tokens WHERE id = $1 AND ${isValid}`,
    [id],
  );
  return row;
}

/** Notes that a token is used, once a minute at most. */
export async function touchOperatorToken(sql: Queryable, id: string): Promise<void> {
  await sql.query(
    `UPDATE operator_tokens SET last_used_at = now()
     WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [id],
  );
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
