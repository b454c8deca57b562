import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { CacheRelay } from '@quire/messages';
import { roles } from '@quire/permissions';
import { ulid } from 'ulid';
import { normalisedEmail } from '../../users/index.js';

/** Somebody whom the edge access proxy let in, and how this installation takes such people. */
export interface EdgeVisitor {
  email: string;
  name: string | null;
  /** Role of the person's groups; null when they are in no mapped one. */
  mappedRole: number | null;
  autoProvision: boolean;
  defaultRole: number;
  syncRoles: boolean;
}

export type EdgeUser =
  { outcome: 'known'; userId: string; role: number } | { outcome: 'disabled' } | { outcome: 'unauthorized' };

interface StoredUser {
  id: string;
  role: number;
  disabled: boolean;
}

/**
 * The user whom an edge identity means: by e-mail address, made at the first visit where that is configured. The first user
 * of a site becomes Admin whatever the groups; with `syncRoles` the groups decide the role at every visit, but for the
 * last active Admin, who stays one.
 * @throws QuireError VALIDATION_ERROR for what is no address.
 */
export async function identifyEdgeUser(ctx: Context, relay: CacheRelay, visitor: EdgeVisitor): Promise<EdgeUser> {
  const email = normalisedEmail(visitor.email);
  const role = visitor.mappedRole ?? visitor.defaultRole;
  const known = await findUser(ctx.db, email);
  const isSettled = known && (!visitor.syncRoles || known.role === role);
  if (isSettled) return answer(known);
  return ctx.db.transaction(async (tx) => {
    // Held: of two first visitors one becomes Admin, and of two last Admins one stays.
    await tx.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    const user = await findUser(tx, email);
    if (!user) return provision(tx, { ...visitor, email, role });
    if (visitor.syncRoles && !user.disabled && user.role !== role && !(await isLastAdmin(tx, user))) {
      await tx.query('UPDATE users SET role = $2, updated_at = now() WHERE id = $1', [user.id, role]);
      tx.afterCommit(() => relay.drop('credentials', ctx.principal.tenant.id));
      return answer({ ...user, role });
    }
    return answer(user);
  });
}

async function findUser(sql: Pick<Transaction, 'query'>, email: string): Promise<StoredUser | undefined> {
  const [user] = await sql.query<StoredUser>('SELECT id, role, disabled FROM users WHERE email = $1', [email]);
  return user;
}

async function provision(
  tx: Transaction,
  { email, name, role, autoProvision }: EdgeVisitor & { role: number },
): Promise<EdgeUser> {
  const isFirst = (await tx.query('SELECT 1 FROM users LIMIT 1')).length === 0;
  if (!autoProvision && !isFirst) return { outcome: 'unauthorized' };
  const given = isFirst ? roles.ADMIN : role;
  const id = ulid();
  await tx.query('INSERT INTO users (id, email, name, role, email_verified) VALUES ($1, $2, $3, $4, true)', [
    id,
    email,
    name,
    given,
  ]);
  return { outcome: 'known', userId: id, role: given };
}

async function isLastAdmin(tx: Transaction, { id, role }: StoredUser): Promise<boolean> {
  if (role !== roles.ADMIN) return false;
  const others = await tx.query('SELECT 1 FROM users WHERE role = $1 AND NOT disabled AND id <> $2 LIMIT 1', [
    roles.ADMIN,
    id,
  ]);
  return others.length === 0;
}

function answer({ id, role, disabled }: StoredUser): EdgeUser {
  return disabled ? { outcome: 'disabled' } : { outcome: 'known', userId: id, role };
}
