import { QuireError } from '@quire/errors';
import type { Principal } from '@quire/context';
import {
  can,
  permissions,
  requirePermission,
  requireScope,
  type OwnablePermission,
  type Permission,
} from '@quire/permissions';
import type { OperationDeclaration } from '../declare/declaration.js';
import { requireReauthentication } from './reauthentication.js';

/**
 * Whether a caller may call an operation.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN or REAUTHENTICATION_REQUIRED, in this order.
 */
export function authorise(declaration: OperationDeclaration, principal: Principal): void {
  requireAccess(declaration, principal);
  if (declaration.reauthentication !== undefined)
    requireReauthentication(declaration.reauthentication, principal);
}

function requireAccess({ access, scope }: OperationDeclaration, principal: Principal): void {
  if (access === 'public') return;
  if (principal.kind === 'anonymous') throw notAuthenticated();
  if (access === 'internal') return requireSystem(principal);
  if (principal.kind === 'system')
    throw new QuireError('FORBIDDEN', 'A service calls internal operations only');
  if (scope !== null) requireScope(principal, scope);
  if (access === 'signed-in') return;
  if (access === 'session') return requireSession(principal);
  if (access in permissions) requirePermission(principal, access as Permission);
  else requireOwnOrAny(principal, access as OwnablePermission);
}

/** What is answered where no principal, or an anonymous one, is known. */
export function notAuthenticated(): QuireError {
  return new QuireError('NOT_AUTHENTICATED', 'Sign in, or send a Bearer token');
}

function requireOwnOrAny(principal: Principal, access: OwnablePermission): void {
  if (!can(principal, `${access}_any`)) requirePermission(principal, `${access}_own`);
}

function requireSession({ kind }: Principal): void {
  if (kind !== 'session') throw new QuireError('FORBIDDEN', 'Sign in to do this: a token does not do');
}

function requireSystem({ kind }: Principal): void {
  if (kind !== 'system')
    throw new QuireError('FORBIDDEN', 'This is for the services of this installation only');
}
