import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { Json } from '@quire/login-providers';
import { ulid } from 'ulid';
import { attemptSeconds } from './login-cookie.js';

/** Most attempts that one write removes because their time is over. */
const pruneBatchSize = 100;

/** What is remembered of somebody who is away at a provider. */
export interface Attempt {
  redirect: string | null;
  inviteHash: string | null;
  setupHash: string | null;
  kept: Readonly<Record<string, Json>>;
}

/** Which attempt is meant. */
export interface AttemptKey {
  stateHash: string;
  browserHash: string;
  provider: string;
}

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
      attemptSeconds,
    ],
  );
}

/** Uses an attempt up; undefined for one that is over, used, of another browser or at another provider. */
export async function consumeAttempt(sql: Queryable, key: AttemptKey): Promise<Attempt | undefined> {
  const [attempt] = await sql.query<Attempt>(
    `DELETE FROM login_attempts
     WHERE state_hash = $1 AND browser_hash = $2 AND provider = $3 AND expires_at > now()
     RETURNING redirect, invite_hash AS "inviteHash", setup_hash AS "setupHash", kept`,
    [key.stateHash, key.browserHash, key.provider],
  );
  return attempt;
}

/** The id of an account's user; undefined for an account that nobody has. */
export async function selectUserOfAccount(
  tx: Queryable,
  { provider, accountId }: { provider: string; accountId: string },
): Promise<string | undefined> {
  const [account] = await tx.query<{ userId: string }>(
    'SELECT user_id AS "userId" FROM login_accounts WHERE provider = $1 AND account_id = $2',
    [provider, accountId],
  );
  return account?.userId;
}

/** Notes that an account is used. After its user is locked: whoever links an account locks in this order too. */
export async function updateAccountUse(
  tx: Queryable,
  { provider, accountId }: { provider: string; accountId: string },
): Promise<void> {
  await tx.query('UPDATE login_accounts SET last_used_at = now() WHERE provider = $1 AND account_id = $2', [
    provider,
    accountId,
  ]);
}

/**
 * Makes an account that of a user.
 * @returns its row's id.
 * @throws QuireError CONFLICT when it has just become somebody's.
 */
export async function linkAccount(
  tx: Queryable,
  account: { provider: string; accountId: string; userId: string; email: string | null },
): Promise<string> {
  const id = ulid();
  const made = await tx.query(
    `INSERT INTO login_accounts (id, provider, account_id, user_id, email) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, account.provider, account.accountId, account.userId, account.email],
  );
  if (made.length === 0)
    throw new QuireError('CONFLICT', 'This external account was linked by another request');
  return id;
}

/** The user of an address, whose address counts as verified from now on; undefined when there is none. */
export async function markEmailVerified(tx: Queryable, email: string): Promise<string | undefined> {
  const [user] = await tx.query<{ id: string }>(
    'UPDATE users SET email_verified = true WHERE email = $1 RETURNING id',
    [email],
  );
  return user?.id;
}
