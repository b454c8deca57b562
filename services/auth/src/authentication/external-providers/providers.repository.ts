import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { Json } from '@quire/login-providers';
import { ulid } from '@quire/values';
import type { UserCredentials } from '../../users/index.js';
import { attemptLifetimeSeconds } from './login-cookie.js';

/** Maximum number of expired attempts that one insert deletes. */
const pruneBatchSize = 100;

/** The data of a login attempt that its callback needs. */
export interface Attempt {
  redirect: string | null;
  inviteHash: string | null;
  setupHash: string | null;
  kept: Readonly<Record<string, Json>>;
}

/** The key of a login attempt: its `state`, browser and provider. */
export interface AttemptKey {
  stateHash: string;
  browserHash: string;
  provider: string;
}

/** Inserts a login attempt, and deletes up to `pruneBatchSize` expired ones. */
export async function insertLoginAttempt(sql: Queryable, key: AttemptKey, attempt: Attempt): Promise<void> {
  await sql.query(
    `DELETE FROM login_attempts WHERE state_hash IN (
       SELECT state_hash FROM login_attempts WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [pruneBatchSize],
  );
  await sql.query(
    `INSERT INTO login_attempts (state_hash, browser_hash, provider, redirect, invite_hash, setup_hash, kept, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 second')`,
    [
      key.stateHash,
      key.browserHash,
      key.provider,
      attempt.redirect,
      attempt.inviteHash,
      attempt.setupHash,
      JSON.stringify(attempt.kept),
      attemptLifetimeSeconds,
    ],
  );
}

/**
 * Consumes an attempt: deletes it, so that it is valid once.
 * @returns undefined when it is unknown, expired or used, or of another browser or provider.
 */
export async function consumeLoginAttempt(sql: Queryable, key: AttemptKey): Promise<Attempt | undefined> {
  const [attempt] = await sql.query<Attempt>(
    `DELETE FROM login_attempts
     WHERE state_hash = $1 AND browser_hash = $2 AND provider = $3 AND expires_at > now()
     RETURNING redirect, invite_hash AS "inviteHash", setup_hash AS "setupHash", kept`,
    [key.stateHash, key.browserHash, key.provider],
  );
  return attempt;
}

/** @returns the id of the user of an external account; undefined when it is not linked. */
export async function selectAccountUser(
  tx: Queryable,
  { provider, accountId }: { provider: string; accountId: string },
): Promise<string | undefined> {
  const [account] = await tx.query<{ userId: string }>(
    'SELECT user_id AS "userId" FROM login_accounts WHERE provider = $1 AND account_id = $2',
    [provider, accountId],
  );
  return account?.userId;
}

/**
 * Stores the time of a use of an external account. The caller locks the user first, in the same order as linking, to
 * avoid a deadlock.
 */
export async function updateLoginAccountUse(
  tx: Queryable,
  { provider, accountId }: { provider: string; accountId: string },
): Promise<void> {
  await tx.query('UPDATE login_accounts SET last_used_at = now() WHERE provider = $1 AND account_id = $2', [
    provider,
    accountId,
  ]);
}

/**
 * Links an external account to a user.
 * @returns the id of the new row.
 * @throws QuireError CONFLICT when a concurrent request has linked it.
 */
export async function insertLoginAccount(
  tx: Queryable,
  account: { provider: string; accountId: string; userId: string; email: string | null },
): Promise<string> {
  const id = ulid();
  const inserted = await tx.query(
    `INSERT INTO login_accounts (id, provider, account_id, user_id, email) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, account.provider, account.accountId, account.userId, account.email],
  );
  if (inserted.length === 0)
    throw new QuireError('CONFLICT', 'This external account was linked by another request');
  return id;
}

/** Stores that the address of a user is verified. @returns the user's id; undefined when no user has the address. */
export async function updateEmailVerified(tx: Queryable, email: string): Promise<string | undefined> {
  const [user] = await tx.query<{ id: string }>(
    'UPDATE users SET email_verified = true WHERE email = $1 RETURNING id',
    [email],
  );
  return user?.id;
}

/** @returns the external accounts of a user, oldest first. */
export function selectLinkedAccounts(
  sql: Queryable,
  userId: string,
): Promise<UserCredentials['oauthAccounts']> {
  return sql.query<UserCredentials['oauthAccounts'][number]>(
    `SELECT provider, created_at AS "createdAt" FROM login_accounts WHERE user_id = $1 ORDER BY created_at, id`,
    [userId],
  );
}

/** @returns the providers of each of the users who have external accounts. */
export function selectLinkedProviders(
  sql: Queryable,
  userIds: readonly string[],
): Promise<{ userId: string; providers: string[] }[]> {
  return sql.query<{ userId: string; providers: string[] }>(
    `SELECT user_id AS "userId", array_agg(DISTINCT provider ORDER BY provider) AS providers
     FROM login_accounts WHERE user_id = ANY($1) GROUP BY user_id`,
    [userIds],
  );
}
