import { systemActor, type Context } from '@quire/context';
import { isStorableText } from '@quire/values';
import type { Transaction } from '@quire/database';
import type { authApi } from '@quire/internal-api';
import { roles } from '@quire/permissions';
import { ulid } from 'ulid';
import { auditRejectedSignIn } from '../../../audit/index.js';
import { createUser } from '../../../registration/index.js';
import { lockSetup, selectSetupProgress } from '../../../registration/setup/index.js';
import { lockUser, normaliseEmail } from '../../../users/index.js';
import { selectEdgeUser, updateUserRole, upsertEdgeSignIn } from '../edge-access.repository.js';
import { asAnonymous, type EdgeAccessDeps } from '../edge-deps.js';

const maxNameLength = 200;

/**
 * Returns the user of an edge identity, by e-mail address (spec document 1, Edge access mode). A sign-in is the first
 * request with an assertion that is no older than the user's last one. It creates a missing user where that is
 * configured; the first user of a site becomes Admin whatever the groups. With `syncRoles` it updates the role from the
 * groups, except for the last active Admin.
 */
export async function resolveEdgeUser(
  ctx: Context,
  deps: EdgeAccessDeps,
  identity: authApi.EdgeUserRequest,
): Promise<authApi.EdgeUserResolution> {
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
  identity: authApi.EdgeUserRequest,
): Promise<authApi.EdgeUserResolution> {
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

/** Creates the user, unless a concurrent request has created them. @returns the id. */
async function provision(
  tx: Transaction,
  ctx: Context,
  { audit }: EdgeAccessDeps,
  { email, name, mappedRole, defaultRole, assertion }: authApi.EdgeUserRequest,
): Promise<string> {
  // The lock serialises concurrent first users: one becomes Admin.
  await lockSetup(tx);
  const { hasUsers } = await selectSetupProgress(tx);
  const role = hasUsers ? (mappedRole ?? defaultRole) : roles.ADMIN;
  const id = ulid();
  const newUser = {
    id,
    email,
    name: nameOf(name),
    role,
    isEmailVerified: true,
    method: 'edge-access',
  } as const;
  if (await createUser(tx, { ctx: asAnonymous(ctx), audit }, newUser)) return id;
  const other = await selectEdgeUser(tx, email, assertion);
  if (!other) throw new Error('The address is taken, but no user has it');
  return other.id;
}

async function signInWith(
  tx: Transaction,
  ctx: Context,
  deps: EdgeAccessDeps,
  { id, identity, mayChangeRole }: { id: string; identity: authApi.EdgeUserRequest; mayChangeRole: boolean },
): Promise<authApi.EdgeUserResolution> {
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
function addressOf({ email }: authApi.EdgeUserRequest): string | undefined {
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
