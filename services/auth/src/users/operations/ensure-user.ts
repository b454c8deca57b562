import type { Transaction } from '@quire/database';
import type { Role } from '@quire/permissions';
import { ulid } from 'ulid';
import { normalisedEmail } from '../email.js';
import { User } from '../user.entity.js';

/**
 * The user of an e-mail address, made with this role if there is none. An existing user keeps its role.
 * @throws QuireError VALIDATION_ERROR for what is no address.
 */
export async function ensureUser(
  tx: Transaction,
  { email, role, name }: { email: string; role: Role; name?: string | undefined },
): Promise<User> {
  const users = tx.repository(User);
  const address = normalisedEmail(email);
  await users
    .createQueryBuilder()
    .insert()
    .values({ id: ulid(), email: address, name: name ?? null, role })
    .orIgnore()
    .execute();
  return users.findOneByOrFail({ email: address });
}
