import { QuireError } from '@quire/errors';
import type { Principal } from '@quire/context';
import {
  can,
  permissions,
  assertPermission,
  assertScope,
  type OwnablePermission,
  type Permission,
} from '@quire/permissions';
import type { OperationDeclaration } from '../declare/declaration.js';
import { assertReauthentication } from './reauthentication.js';

/** The part of a declaration that decides who may call the operation. */
export type OperationRights = Pick<OperationDeclaration, 'access' | 'scope' | 'reauthentication'>;

/**
 * Whether a caller may call an operation.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN or REAUTHENTICATION_REQUIRED, in this order.
 */
export function authorise(declaration: OperationRights, principal: Principal): void {
  assertAccess(declaration, principal);
  if (declaration.reauthentication !== undefined)
    assertReauthentication(declaration.reauthentication, principal);
}

function assertAccess({ access, scope }: OperationRights, principal: Principal): void {
  if (access === 'public') return;
  if (principal.kind === 'anonymous') throw notAuthenticated();
  if (access === 'internal') return assertSystem(principal);
  if (principal.kind === 'system')
    throw new QuireError('FORBIDDEN', 'A service calls internal operations only');
  if (adminsOnly.has(access)) assertAdmin(principal, access as Permission);
  if (scope !== null) assertScope(principal, scope);
  if (access === 'signed-in') return;
  if (access === 'delegated') return assertToken(principal);
  if (access === 'session') return assertSession(principal);
  if (access in permissions) assertPermission(principal, access as Permission);
  else assertOwnOrAny(principal, access as OwnablePermission);
}

/** Site transfers: the role is checked before the scope, with a code of its own (contract 25; spec document 2). */
const adminsOnly: ReadonlySet<OperationRights['access']> = new Set(['transfer:export', 'transfer:import']);

function assertAdmin(principal: Principal, permission: Permission): void {
  if (can(principal, permission)) return;
  const message = `Your role does not allow this (${permission})`;
  throw new QuireError('INSUFFICIENT_PERMISSIONS', message);
}

/** The error for a missing or anonymous principal. */
export function notAuthenticated(): QuireError {
  return new QuireError('NOT_AUTHENTICATED', 'Sign in, or send a Bearer token');
}

function assertOwnOrAny(principal: Principal, access: OwnablePermission): void {
  if (!can(principal, `${access}_any`)) assertPermission(principal, `${access}_own`);
}

function assertToken({ kind }: Principal): void {
  if (kind !== 'token') throw new QuireError('FORBIDDEN', 'This operation requires a token');
}

function assertSession({ kind }: Principal): void {
  if (kind !== 'session') throw new QuireError('FORBIDDEN', 'This operation requires a session, not a token');
}

function assertSystem({ kind }: Principal): void {
  if (kind !== 'system') throw new QuireError('FORBIDDEN', 'This operation is for internal services only');
}
