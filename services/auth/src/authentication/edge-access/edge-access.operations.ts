import { systemActor, type Context } from '@quire/context';
import { isStorableText, ulid } from '@quire/values';
import type { Transaction } from '@quire/database';
import type { authApi } from '@quire/internal-api';
import { roles } from '@quire/permissions';
import { auditRejectedSignIn } from '../../audit/index.js';
import { createUser } from '../../registration/index.js';
import { lockSetup, selectSetupProgress } from '../../registration/setup/index.js';
import { lockUser, normaliseEmail } from '../../users/index.js';
import { signIn, trimSessions } from '../sessions/index.js';
import { selectEdgeUser, updateUserRole, upsertEdgeSignIn } from './edge-access.repository.js';
import { asAnonymous, type EdgeAccessDeps } from './edge-deps.js';

const maxNameLength = 200;
/** A browser without cookies would leave a session behind with every page. */
const maxSessions = 20;

/**
 * Resolves the user of an edge identity, by e-mail address (spec document 1, Edge access mode). A sign-in is the first
 * request with an assertion that is no older than the user's last one. With `autoProvision` it creates a missing user;
 * the first user of a site becomes Admin, independent of their groups. With `syncRoles` it updates the role from the
 * groups, except for the last active Admin. Rejections are audited.
 * @returns the user and their role, `role-needed` when the caller must send the role of the groups, or the reason of a
 * rejection.
 */
export async function resolveEdgeUser(
  ctx: Context,
  deps: EdgeAccessDeps,
  identity: authApi.EdgeUserRequest,
): Promise<authApi.EdgeUserResolution> {
  const user = await resolveIdentity(ctx, deps, identity);
  if (user.outcome === 'known' || user.outcome === 'role-needed') return user;
  const rejection =
    user.outcome === 'disabled'
      ? { reason: 'ACCOUNT_DISABLED', userId: user.userId }
      : { reason: 'ACCESS_DENIED' };
  await auditRejectedSignIn(asAnonymous(ctx), { ...deps, method: 'edge-access' }, rejection);
  return user;
}

/**
 * Opens a session for a user whom the edge access proxy has authenticated, so that unprotected pages know the user too
 * (spec document 1, Sessions).
 * @returns the text of the session's cookie.
 * @throws QuireError ACCOUNT_DISABLED.
 */
export async function openEdgeSession(
  ctx: Context,
  { audit }: EdgeAccessDeps,
  { userId, userAgent }: { userId: string; userAgent: string | undefined },
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const how = { userId, method: 'edge-access', userAgent } as const;
    const session = await signIn(tx, { ctx: asAnonymous(ctx), audit }, how);
    await trimSessions(tx, userId, maxSessions);
    return session;
  });
}

async function resolveIdentity(
  ctx: Context,
  deps: EdgeAccessDeps,
  identity: authApi.EdgeUserRequest,
): Promise<authApi.EdgeUserResolution> {
  const email = toEmail(identity);
  if (email === undefined) return { outcome: 'unauthorized' };
  const known = await selectEdgeUser(ctx.db, email, identity.assertion);
  if (known?.disabled) return { outcome: 'disabled', userId: known.id };
  if (!known && !identity.autoProvision) return { outcome: 'unauthorized' };
  const isSignIn = !known || (known.isNewest && known.assertionHash !== identity.assertion.hash);
  if (!isSignIn) return { outcome: 'known', userId: known.id, role: known.role };
  if (identity.mappedRole === undefined && (!known || identity.syncRoles)) return { outcome: 'role-needed' };
  return ctx.db.transaction(async (tx) => {
    const id = known?.id ?? (await provision(tx, ctx, deps, { ...identity, email }));
    return recordSignIn(tx, ctx, deps, { id, identity, mayChangeRole: known !== undefined });
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
    name: toName(name),
    role,
    isEmailVerified: true,
    method: 'edge-access',
  } as const;
  if (await createUser(tx, { ctx: asAnonymous(ctx), audit }, newUser)) return id;
  const other = await selectEdgeUser(tx, email, assertion);
  if (!other) throw new Error('The user was deleted during the sign-in');
  return other.id;
}

/** Stores the assertion of a sign-in, and synchronises the user's role. */
async function recordSignIn(
  tx: Transaction,
  ctx: Context,
  deps: EdgeAccessDeps,
  { id, identity, mayChangeRole }: { id: string; identity: authApi.EdgeUserRequest; mayChangeRole: boolean },
): Promise<authApi.EdgeUserResolution> {
  const { user, isLastAdmin } = await lockUser(tx, ctx, id);
  if (user.disabled) return { outcome: 'disabled', userId: id };
  const isNewest = await upsertEdgeSignIn(tx, id, identity.assertion);
  const role = identity.mappedRole ?? identity.defaultRole;
  const isSynced = identity.syncRoles && mayChangeRole && isNewest && !isLastAdmin;
  if (!isSynced || role === user.role) return { outcome: 'known', userId: id, role: user.role };
  await updateUserRole(tx, id, role);
  const { tenant } = ctx.principal;
  await deps.audit.record(tx, {
    by: { ...ctx, principal: systemActor(tenant, 'system:edge-access') },
    action: 'user.role-changed',
    target: { type: 'user', id },
    details: { from: user.role, to: role },
  });
  tx.afterCommit(() => deps.relay.invalidate('credentials', tenant.id, id));
  return { outcome: 'known', userId: id, role };
}

/** @returns the normalised address; undefined for an invalid one, which no user can have. */
function toEmail({ email }: authApi.EdgeUserRequest): string | undefined {
  try {
    return isStorableText(email) ? normaliseEmail(email) : undefined;
  } catch {
    return undefined;
  }
}

function toName(name: string | null): string | null {
  const text = Array.from(name ?? '')
    .slice(0, maxNameLength)
    .join('')
    .trim();
  return text && isStorableText(text) ? text : null;
}
