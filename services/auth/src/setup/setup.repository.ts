import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { SignInMode } from '../mode/index.js';

/** How far the setup is. */
export interface SetupProgress {
  isSiteSaved: boolean;
  /** Whether the setup made the first user. */
  isComplete: boolean;
  hasUsers: boolean;
}

export async function setupProgress(sql: Sql): Promise<SetupProgress> {
  const [progress] = await sql.query<SetupProgress>(
    `SELECT site_saved_at IS NOT NULL AS "isSiteSaved", completed_at IS NOT NULL AS "isComplete",
       EXISTS (SELECT FROM users) AS "hasUsers"
     FROM setup_state`,
  );
  if (!progress) throw new Error('setup_state has lost its row');
  return progress;
}

/** Those who might make the first user take turns, until the end of the transaction. */
export async function holdSetup(tx: Sql): Promise<void> {
  await tx.query('SELECT id FROM setup_state FOR UPDATE');
}

/**
 * Whether nothing is left to set up: there is the first user. A proxy that signs people in makes that one by itself; then it
 * is the title that counts.
 */
export function isSetUp({ hasUsers, isSiteSaved, isComplete }: SetupProgress, mode: SignInMode): boolean {
  return mode.isExternal ? isSiteSaved || isComplete : hasUsers;
}

/** @throws QuireError SETUP_COMPLETE when the setup was done, ADMIN_EXISTS when users came another way. */
export function requireNoUsers({ hasUsers, isComplete }: SetupProgress): void {
  if (!hasUsers) return;
  if (isComplete) throw new QuireError('SETUP_COMPLETE', 'This site is set up already');
  throw adminExists();
}

export function adminExists(): QuireError {
  return new QuireError('ADMIN_EXISTS', 'This site has its first user already');
}
