import type { Transaction } from '@quire/database';
import type { Role } from '@quire/permissions';
import { ulid } from 'ulid';
import { normaliseEmail } from '../email.js';
import { insertUser } from '../insert-user.js';
import { User } from '../user.entity.js';

/**
 * The user of an e-mail address, made with this role if there is none. An existing user keeps its role.
 * @throws QuireError VALIDATION_ERROR for what is no address.
 */
export async function ensureUser(
  tx: Transaction,
  { email, role, name }: { email: string; role: Role; name?: string | undefined },
): Promise<User> {
  const address = normaliseEmail(email);
  await insertUser(tx, { id: ulid(), email: address, name: name ?? null, role, isEmailVerified: false });
  return tx.repository(User).findOneByOrFail({ email: address });
}
