import { QuireError } from '@quire/errors';
import { permissions, type OwnablePermission, type Permission } from '../map/permissions.js';
import { scopesGrant } from '../map/scopes.js';

/** The properties of a caller that these checks use. A session has no scopes: only its role applies. */
export interface Caller {
  userId: string | null;
  role: number;
  scopes?: readonly string[] | undefined;
}

/** Whether the role holds a permission. */
export function can(caller: Caller, permission: Permission): boolean {
  return caller.role >= permissions[permission];
}

/**
 * Whether the caller may act on a row: with `_any`, or with `_own` on a row it owns. A row without owner needs `_any`.
 */
export function canOnRow(caller: Caller, permission: OwnablePermission, ownerId: string | null): boolean {
  if (can(caller, `${permission}_any`)) return true;
  return ownerId !== null && ownerId === caller.userId && can(caller, `${permission}_own`);
}

/** @throws QuireError FORBIDDEN when the role does not hold the permission. */
export function assertPermission(caller: Caller, permission: Permission): void {
  if (!can(caller, permission)) throw forbidden(permission);
}

/** @throws QuireError FORBIDDEN when the caller may not act on a row of this owner. */
export function assertOnRow(caller: Caller, permission: OwnablePermission, ownerId: string | null): void {
  if (!canOnRow(caller, permission, ownerId)) throw forbidden(permission);
}

/** Whether the caller needs no scope, or its token has this one. */
export function hasScope({ scopes }: Caller, scope: string): boolean {
  return scopes === undefined || scopesGrant(scopes, scope);
}

/** @throws QuireError INSUFFICIENT_SCOPE when the caller's token lacks the scope. */
export function assertScope(caller: Caller, scope: string): void {
  if (!hasScope(caller, scope))
    throw new QuireError('INSUFFICIENT_SCOPE', `The token lacks the scope ${scope}`);
}

function forbidden(permission: string): QuireError {
  return new QuireError('FORBIDDEN', `Your role does not allow this (${permission})`);
}
