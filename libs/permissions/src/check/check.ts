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

/**
 * Whether a caller needs no scopes, or its token has sufficient ones.
 * @param required a scope, or several of which one suffices
 */
export function hasScope({ scopes }: Caller, required: string | readonly string[]): boolean {
  return scopes === undefined || [required].flat().some((scope) => scopesGrant(scopes, scope));
}

/** Checks the scopes of a caller's token, as `hasScope`. @throws QuireError INSUFFICIENT_SCOPE */
export function assertScope(caller: Caller, required: string | readonly string[]): void {
  if (hasScope(caller, required)) return;
  throw new QuireError('INSUFFICIENT_SCOPE', `The token lacks the scope ${[required].flat().join(' or ')}`);
}

function forbidden(permission: string): QuireError {
  return new QuireError('FORBIDDEN', `Your role does not allow this (${permission})`);
}
