import type { Queryable } from '@quire/database';
import { roles } from '@quire/permissions';
import { insertUser } from '../../../users/index.js';
import { adminExistsError, lockSetup, selectSetupProgress } from '../setup.repository.js';

/** Somebody who would be the first user. */
export interface FirstUser {
  id: string;
  email: string;
  name: string | null;
  isEmailVerified: boolean;
}

/**
 * Makes the first user, an Admin, in the caller's transaction, completes the setup and uses its link up. Of several who
 * try, one gets there.
 * @throws QuireError ADMIN_EXISTS when there is a user.
 */
export async function createFirstAdmin(tx: Queryable, user: FirstUser): Promise<void> {
  await lockSetup(tx);
  const { hasUsers } = await selectSetupProgress(tx);
  if (hasUsers) throw adminExistsError();
  if (!(await insertUser(tx, { ...user, role: roles.ADMIN }))) throw adminExistsError();
  await tx.query('UPDATE setup_state SET completed_at = now(), link_hash = NULL');
  await tx.query('DELETE FROM setup_attempts');
}
