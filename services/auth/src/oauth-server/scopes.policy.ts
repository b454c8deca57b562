import { isImplied, isScope, roleMayGrant } from '@quire/permissions';

/** Who limits what may be granted: the user's present role, and the scopes that the client was registered with. */
export interface GrantSubject {
  role: number;
  /** null for a client without limits. */
  clientScopes: readonly string[] | null;
}

/** The scopes that a space-separated list names: unknown ones are dropped, repeated ones count once. */
export function parseScopes(list: string): string[] {
  return [...new Set(list.split(' ').filter(isScope))];
}

/** The scopes that the client may ask for at all. */
export function limitToClientScopes(
  scopes: readonly string[],
  clientScopes: readonly string[] | null,
): string[] {
  if (clientScopes === null) return [...scopes];
  return scopes.filter((scope) => clientScopes.includes(scope) || isImplied(clientScopes, scope));
}

/** What is left of the scopes for a client and a role (contract 5, Scopes). */
export function grantableScopes(scopes: readonly string[], { role, clientScopes }: GrantSubject): string[] {
  return limitToClientScopes(scopes, clientScopes).filter((scope) => roleMayGrant(role, scope));
}

const powerful: ReadonlySet<string> = new Set(['admin', 'schema:write', 'settings:manage']);

/** Whether a scope is too much to be given away by one click (decision 57). */
export function isSensitiveScope(scope: string): boolean {
  return powerful.has(scope) || scope.startsWith('transfer:');
}
