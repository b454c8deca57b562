import { systemActor, type Context } from '@quire/context';
import { isStorableText } from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { roles } from '@quire/permissions';
import { ulid } from 'ulid';
import { tellRefusal } from '../../audit/index.js';
import { holdSetup, setupProgress } from '../../setup/index.js';
import { holdUser, insertUser, normalisedEmail } from '../../users/index.js';
import { findVisitingUser, storeRole, storeSignIn, type Assertion } from '../edge.repository.js';
import { asVisitor, type EdgeServices } from '../edge-services.js';

/** Somebody whom the edge access proxy let in, and how this installation takes such people. */
export interface EdgeVisitor {
  assertion: Assertion;
  email: string;
  name: string | null;
  /** Role of the person's groups; null when they are in no mapped one, undefined when nobody has looked. */
  mappedRole?: number | null | undefined;
  autoProvision: boolean;
  defaultRole: number;
  syncRoles: boolean;
}

export type EdgeUser =
  | { outcome: 'known'; userId: string; role: number }
  | { outcome: 'disabled'; userId: string }
  | { outcome: 'unauthorized' }
  /** The groups decide, and have to be looked at. */
  | { outcome: 'role-needed' };

const maximumName = 200;

/**
 * The user whom an edge identity means, by e-mail address (spec document 1, Edge access mode). A sign-in is the first request
 * with an assertion that is no older than the user's last one: then a person who is new is made a user where that is
 * configured - the first of a site an Admin, whatever the groups - and with `syncRoles` the groups decide the role anew,
 * but for the last active Admin, who stays one.
 */
export async function identifyVisitor(
  ctx: Context,
  services: EdgeServices,
  visitor: EdgeVisitor,
): Promise<EdgeUser> {
  const user = await userOf(ctx, services, visitor);
  if (user.outcome === 'known' || user.outcome === 'role-needed') return user;
  const refusal =
    user.outcome === 'disabled'
      ? { reason: 'ACCOUNT_DISABLED', userId: user.userId }
      : { reason: 'ACCESS_DENIED' };
  await tellRefusal(asVisitor(ctx), { ...services, method: 'edge-access' }, refusal);
  return user;
}

async function userOf(ctx: Context, services: EdgeServices, visitor: EdgeVisitor): Promise<EdgeUser> {
  const email = addressOf(visitor);
  if (email === undefined) return { outcome: 'unauthorized' };
  const known = await findVisitingUser(ctx.db, email, visitor.assertion);
  if (known?.disabled) return { outcome: 'disabled', userId: known.id };
  if (!known && !visitor.autoProvision) return { outcome: 'unauthorized' };
  const isSignIn = !known || (known.isNewest && known.assertionHash !== visitor.assertion.hash);
  if (!isSignIn) return { outcome: 'known', userId: known.id, role: known.role };
  if (visitor.mappedRole === undefined && (!known || visitor.syncRoles)) return { outcome: 'role-needed' };
  return ctx.db.transaction(async (tx) => {
    const id = known?.id ?? (await provision(tx, ctx, services, { ...visitor, email }));
    return signInWith(tx, ctx, services, { id, visitor, mayChangeRole: known !== undefined });
  });
}

/** Makes the user, or finds the one that a request beside this one has made. @returns the id. */
async function provision(
  tx: Transaction,
  ctx: Context,
  { audit }: EdgeServices,
  { email, name, mappedRole, defaultRole, assertion }: EdgeVisitor,
): Promise<string> {
  // Held: of two first visitors one becomes Admin.
  await holdSetup(tx);
  const { hasUsers } = await setupProgress(tx);
  const role = hasUsers ? (mappedRole ?? defaultRole) : roles.ADMIN;
  const id = ulid();
  if (!(await insertUser(tx, { id, email, name: nameOf(name), role, isEmailVerified: true }))) {
    const other = await findVisitingUser(tx, email, assertion);
    if (!other) throw new Error('The address is taken, and nobody has it');
    return other.id;
  }
  await audit.record(tx, {
    by: asVisitor(ctx),
    actorId: id,
    action: 'user.created',
    target: { type: 'user', id },
    details: { role, method: 'edge-access' },
  });
  return id;
}

async function signInWith(
  tx: Transaction,
  ctx: Context,
  services: EdgeServices,
  { id, visitor, mayChangeRole }: { id: string; visitor: EdgeVisitor; mayChangeRole: boolean },
): Promise<EdgeUser> {
  const { user, isLastAdmin } = await holdUser(tx, ctx, id);
  if (user.disabled) return { outcome: 'disabled', userId: id };
  const isNewest = await storeSignIn(tx, id, visitor.assertion);
  const wanted = visitor.mappedRole ?? visitor.defaultRole;
  const isSynced = visitor.syncRoles && mayChangeRole && isNewest && !isLastAdmin;
  if (!isSynced || wanted === user.role) return { outcome: 'known', userId: id, role: user.role };
  await storeRole(tx, id, wanted);
  const { tenant } = ctx.principal;
  await services.audit.record(tx, {
    by: { ...ctx, principal: systemActor(tenant, 'system:edge-access') },
    action: 'user.role-changed',
    target: { type: 'user', id },
    details: { from: user.role, to: wanted },
  });
  tx.afterCommit(() => services.relay.drop('credentials', tenant.id));
  return { outcome: 'known', userId: id, role: wanted };
}

/** An address that cannot be a user's is nobody's. */
function addressOf({ email }: EdgeVisitor): string | undefined {
  try {
    return isStorableText(email) ? normalisedEmail(email) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(name: string | null): string | null {
  const text = Array.from(name ?? '')
    .slice(0, maximumName)
    .join('')
    .trim();
  return text && isStorableText(text) ? text : null;
}
