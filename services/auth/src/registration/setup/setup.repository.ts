import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { SignInMode } from '../../authentication/sign-in-mode.js';
import type { SetupAttempt } from './setup-attempt.entity.js';
import { attemptSeconds } from './setup-cookie.js';

/** Whoever may set the site up may begin any number of times: what is kept of that stays small. */
const maxAttempts = 100;

/** How far the setup is. */
export interface SetupProgress {
  isSiteSaved: boolean;
  /** Whether the setup made the first user. */
  isComplete: boolean;
  hasUsers: boolean;
  /** SHA-256 of the setup link's secret; null where no link was made, or it is used up. */
  linkHash: string | null;
}

export async function selectSetupProgress(sql: Queryable): Promise<SetupProgress> {
  const [progress] = await sql.query<SetupProgress>(
    `SELECT site_saved_at IS NOT NULL AS "isSiteSaved", completed_at IS NOT NULL AS "isComplete", link_hash AS "linkHash",
       EXISTS (SELECT FROM users) AS "hasUsers"
     FROM setup_state`,
  );
  if (!progress) throw new Error('setup_state has no row');
  return progress;
}

/** Puts a new setup link in the place of an older one. */
export async function updateLinkHash(tx: Queryable, hash: string): Promise<void> {
  await tx.query('UPDATE setup_state SET link_hash = $1', [hash]);
}

/** Locks the setup until the end of the transaction: creations of the first user are serialised. */
export async function lockSetup(tx: Queryable): Promise<void> {
  await tx.query('SELECT id FROM setup_state FOR UPDATE');
}

/**
 * Whether nothing is left to set up: there is the first user. A proxy that signs people in makes that one by itself;
 * then it is the title that counts.
 */
export function isSetUp({ hasUsers, isSiteSaved, isComplete }: SetupProgress, mode: SignInMode): boolean {
  return mode.isExternal ? isSiteSaved || isComplete : hasUsers;
}

/** Remembers who would be the first user; the oldest of those that others began make room. */
export async function insertSetupAttempt(
  tx: Queryable,
  nonceHash: string,
  owner: Pick<SetupAttempt, 'email' | 'name'> & { id: string },
): Promise<void> {
  await tx.query(
    `DELETE FROM setup_attempts WHERE nonce_hash IN (
       SELECT nonce_hash FROM setup_attempts ORDER BY expires_at DESC OFFSET $1 FOR UPDATE SKIP LOCKED)`,
    [maxAttempts],
  );
  await tx.query(
    `INSERT INTO setup_attempts (nonce_hash, user_id, email, name, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [nonceHash, owner.id, owner.email, owner.name, attemptSeconds],
  );
}

/** @throws QuireError SETUP_COMPLETE when the setup was done, ADMIN_EXISTS when users came another way. */
export function assertNoUsers({ hasUsers, isComplete }: SetupProgress): void {
  if (!hasUsers) return;
  if (isComplete) throw new QuireError('SETUP_COMPLETE', 'This site is already set up');
  throw adminExistsError();
}

export function adminExistsError(): QuireError {
  return new QuireError('ADMIN_EXISTS', 'The first user of this site already exists');
}
