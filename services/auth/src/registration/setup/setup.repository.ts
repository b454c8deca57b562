import { columnsOf, type Queryable, type Row } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { SignInMode } from '../../authentication/sign-in-mode.js';
import { SetupAttempt } from './setup-attempt.entity.js';
import { attemptSeconds } from './setup-cookie.js';

/** Limits the table: a browser can start the setup any number of times. */
const maxAttempts = 100;

type SetupAttemptRow = Pick<Row<SetupAttempt>, 'userId' | 'email' | 'name'>;

const attemptColumns = columnsOf(SetupAttempt, { only: ['userId', 'email', 'name'] });

/** Progress of the setup. */
export interface SetupProgress {
  isSiteSaved: boolean;
  /** Whether the setup created the first user. */
  isComplete: boolean;
  hasUsers: boolean;
  /** SHA-256 of the setup link's secret; null when there is no link or it was used. */
  linkHash: string | null;
}

/** @returns the progress of the setup, and whether the site has users. */
export async function selectSetupProgress(sql: Queryable): Promise<SetupProgress> {
  const [progress] = await sql.query<SetupProgress>(
    `SELECT site_saved_at IS NOT NULL AS "isSiteSaved", completed_at IS NOT NULL AS "isComplete",
       link_hash AS "linkHash", EXISTS (SELECT FROM users) AS "hasUsers"
     FROM setup_state`,
  );
  if (!progress) throw new Error('setup_state has no row');
  return progress;
}

/** Replaces the setup link. */
export async function updateLinkHash(tx: Queryable, hash: string): Promise<void> {
  await tx.query('UPDATE setup_state SET link_hash = $1', [hash]);
}

/** Marks the site step as complete. @param isComplete whether this also completes the setup */
export async function updateSiteSaved(tx: Queryable, { isComplete }: { isComplete: boolean }): Promise<void> {
  await tx.query(
    `UPDATE setup_state SET site_saved_at = now(), completed_at = CASE WHEN $1 THEN now() ELSE completed_at END`,
    [isComplete],
  );
}

/** Marks the setup as complete, and deletes the link and all attempts. */
export async function updateSetupComplete(tx: Queryable): Promise<void> {
  await tx.query('UPDATE setup_state SET completed_at = now(), link_hash = NULL');
  await tx.query('DELETE FROM setup_attempts');
}

/** Locks the setup until the end of the transaction: creations of the first user are serialised. */
export async function lockSetup(tx: Queryable): Promise<void> {
  await tx.query('SELECT id FROM setup_state FOR UPDATE');
}

/**
 * Whether the setup is complete: the site has its first user. Behind an edge access proxy that user is created without
 * the setup; there the setup is complete when the site has its title.
 */
export function isSetUp({ hasUsers, isSiteSaved, isComplete }: SetupProgress, mode: SignInMode): boolean {
  return mode.isExternal ? isSiteSaved || isComplete : hasUsers;
}

/** Selects the attempt of a browser by the SHA-256 of its nonce, unless it has expired. */
export async function selectSetupAttempt(
  sql: Queryable,
  nonceHash: string,
): Promise<SetupAttemptRow | undefined> {
  const [attempt] = await sql.query<SetupAttemptRow>(
    `SELECT ${attemptColumns} FROM setup_attempts WHERE nonce_hash = $1 AND expires_at > now()`,
    [nonceHash],
  );
  return attempt;
}

/** Inserts the attempt of a browser and deletes the oldest attempts above `maxAttempts`. */
export async function insertSetupAttempt(
  tx: Queryable,
  { nonceHash, userId, email, name }: Omit<Row<SetupAttempt>, 'expiresAt'>,
): Promise<void> {
  await tx.query(
    `DELETE FROM setup_attempts WHERE nonce_hash IN (
       SELECT nonce_hash FROM setup_attempts ORDER BY expires_at DESC OFFSET $1 FOR UPDATE SKIP LOCKED)`,
    [maxAttempts],
  );
  await tx.query(
    `INSERT INTO setup_attempts (nonce_hash, user_id, email, name, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [nonceHash, userId, email, name, attemptSeconds],
  );
}

/** @throws QuireError SETUP_COMPLETE after the setup, ADMIN_EXISTS when users were created without it. */
export function assertNoUsers({ hasUsers, isComplete }: SetupProgress): void {
  if (!hasUsers) return;
  if (isComplete) throw new QuireError('SETUP_COMPLETE', 'This site is already set up');
  throw adminExistsError();
}

/** The error for a site that has its first user. */
export function adminExistsError(): QuireError {
  return new QuireError('ADMIN_EXISTS', 'The first user of this site already exists');
}
