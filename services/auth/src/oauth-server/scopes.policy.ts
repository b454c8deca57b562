import { isImplied, isScope, roleMayGrant } from '@quire/permissions';

/** Limits of a grant: the user's current role, and the scopes that the client is registered with. */
export interface GrantSubject {
  role: number;
  /** null for a client without limits. */
  clientScopes: readonly string[] | null;
}

/** @returns the scopes of a space-separated list, without unknown and repeated ones. */
export function parseScopes(list: string): string[] {
  return [...new Set(list.split(' ').filter(isScope))];
}

/** @returns the scopes that the client may request. */
export function limitToClientScopes(
  scopes: readonly string[],
  clientScopes: readonly string[] | null,
): string[] {
  if (clientScopes === null) return [...scopes];
  return scopes.filter((scope) => clientScopes.includes(scope) || isImplied(clientScopes, scope));
}

/** @returns the scopes that a client may get from a user with a role (contract 5, Scopes). */
export function grantableScopes(scopes: readonly string[], { role, clientScopes }: GrantSubject): string[] {
  return limitToClientScopes(scopes, clientScopes).filter((scope) => roleMayGrant(role, scope));
}

const sensitiveScopes: ReadonlySet<string> = new Set(['admin', 'schema:write', 'settings:manage']);

/** Whether a grant of the scope to an unverified client needs a passkey (decision 57). */
export function isSensitiveScope(scope: string): boolean {
  return sensitiveScopes.has(scope) || scope.startsWith('transfer:');
}
