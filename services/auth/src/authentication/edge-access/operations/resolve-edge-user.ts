import { systemActor, type Context } from '@quire/context';
import { isStorableText } from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { roles } from '@quire/permissions';
import { ulid } from 'ulid';
import { auditRejectedSignIn } from '../../../audit/index.js';
import { lockSetup, selectSetupProgress } from '../../../registration/setup/index.js';
import { lockUser, insertUser, normaliseEmail } from '../../../users/index.js';
import {
  selectEdgeUser,
  updateUserRole,
  upsertEdgeSignIn,
  type Assertion,
} from '../edge-access.repository.js';
import { asAnonymous, type EdgeAccessDeps } from '../edge-deps.js';

/** Somebody whom the edge access proxy let in, and how this installation takes such people. */
export interface EdgeIdentity {
  assertion: Assertion;
  email: string;
  name: string | null;
  /** Role of the person's groups; null when they are in no mapped one, undefined when nobody has looked. */
  mappedRole?: number | null | undefined;
  autoProvision: boolean;
  defaultRole: number;
  syncRoles: boolean;
}

export type EdgeUserResolution =
  | { outcome: 'known'; userId: string; role: number }
  | { outcome: 'disabled'; userId: string }
  | { outcome: 'unauthorized' }
  /** The groups decide, and have to be looked at. */
  | { outcome: 'role-needed' };

const maxNameLength = 200;

/**
 * The user whom an edge identity means, by e-mail address (spec document 1, Edge access mode). A sign-in is the first
 * request with an assertion that is no older than the user's last one: then a person who is new is made a user where
 * that is configured - the first of a site an Admin, whatever the groups - and with `syncRoles` the groups decide the
 * role anew, but for the last active Admin, who stays one.
 */
export async function resolveEdgeUser(
  ctx: Context,
  deps: EdgeAccessDeps,
  identity: EdgeIdentity,
): Promise<EdgeUserResolution> {
  const user = await userOf(ctx, deps, identity);
  if (user.outcome === 'known' || user.outcome === 'role-needed') return user;
  const rejection =
    user.outcome === 'disabled'
      ? { reason: 'ACCOUNT_DISABLED', userId: user.userId }
      : { reason: 'ACCESS_DENIED' };
  await auditRejectedSignIn(asAnonymous(ctx), { ...deps, method: 'edge-access' }, rejection);
  return user;
}

async function userOf(
  ctx: Context,
  deps: EdgeAccessDeps,
  identity: EdgeIdentity,
): Promise<EdgeUserResolution> {
  const email = addressOf(identity);
  if (email === undefined) return { outcome: 'unauthorized' };
  const known = await selectEdgeUser(ctx.db, email, identity.assertion);
  if (known?.disabled) return { outcome: 'disabled', userId: known.id };
  if (!known && !identity.autoProvision) return { outcome: 'unauthorized' };
  const isSignIn = !known || (known.isNewest && known.assertionHash !== identity.assertion.hash);
  if (!isSignIn) return { outcome: 'known', userId: known.id, role: known.role };
  if (identity.mappedRole === undefined && (!known || identity.syncRoles)) return { outcome: 'role-needed' };
  return ctx.db.transaction(async (tx) => {
    const id = known?.id ?? (await provision(tx, ctx, deps, { ...identity, email }));
    return signInWith(tx, ctx, deps, { id, identity, mayChangeRole: known !== undefined });
  });
}

/** Makes the user, or finds the one that a request beside this one has made. @returns the id. */
async function provision(
  tx: Transaction,
  ctx: Context,
  { audit }: EdgeAccessDeps,
  { email, name, mappedRole, defaultRole, assertion }: EdgeIdentity,
): Promise<string> {
  // Held: of two first visitors one becomes Admin.
  await lockSetup(tx);
  const { hasUsers } = await selectSetupProgress(tx);
  const role = hasUsers ? (mappedRole ?? defaultRole) : roles.ADMIN;
  const id = ulid();
  if (!(await insertUser(tx, { id, email, name: nameOf(name), role, isEmailVerified: true }))) {
    const other = await selectEdgeUser(tx, email, assertion);
    if (!other) throw new Error('The address is taken, but no user has it');
    return other.id;
  }
  await audit.record(tx, {
    by: asAnonymous(ctx),
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
  deps: EdgeAccessDeps,
  { id, identity, mayChangeRole }: { id: string; identity: EdgeIdentity; mayChangeRole: boolean },
): Promise<EdgeUserResolution> {
  const { user, isLastAdmin } = await lockUser(tx, ctx, id);
  if (user.disabled) return { outcome: 'disabled', userId: id };
  const isNewest = await upsertEdgeSignIn(tx, id, identity.assertion);
  const wanted = identity.mappedRole ?? identity.defaultRole;
  const isSynced = identity.syncRoles && mayChangeRole && isNewest && !isLastAdmin;
  if (!isSynced || wanted === user.role) return { outcome: 'known', userId: id, role: user.role };
  await updateUserRole(tx, id, wanted);
  const { tenant } = ctx.principal;
  await deps.audit.record(tx, {
    by: { ...ctx, principal: systemActor(tenant, 'system:edge-access') },
    action: 'user.role-changed',
    target: { type: 'user', id },
    details: { from: user.role, to: wanted },
  });
  tx.afterCommit(() => deps.relay.invalidate('credentials', tenant.id));
  return { outcome: 'known', userId: id, role: wanted };
}

/** An address that cannot be a user's is nobody's. */
function addressOf({ email }: EdgeIdentity): string | undefined {
  try {
    return isStorableText(email) ? normaliseEmail(email) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(name: string | null): string | null {
  const text = Array.from(name ?? '')
    .slice(0, maxNameLength)
    .join('')
    .trim();
  return text && isStorableText(text) ? text : null;
}
