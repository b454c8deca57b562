import type { Principal } from '@quire/context';
import { TenantCache, type Tenant } from '@quire/tenancy';

const maxAgeMs = 60_000;
const maxPrincipals = 20_000;

/** The principal of a credential. */
export interface ResolvedPrincipal {
  principal: Principal;
  /** ISO time at which the credential expires; null for a credential without an expiry. */
  expiresAt: string | null;
}

/**
 * Creates a cache of the principals of credentials: each for a minute at most, never past the expiry of its credential.
 * Anonymous principals are not cached.
 * @param name name in the metrics
 */
export function createPrincipalCache(name: string): TenantCache<ResolvedPrincipal> {
  return new TenantCache({ name, max: maxPrincipals, maxAgeMsOf });
}

/** Invalidates the principals of a user, of one tenant, or all. */
export function invalidatePrincipals(
  cache: TenantCache<ResolvedPrincipal>,
  tenantId?: string,
  userId?: string,
): void {
  if (tenantId === undefined || userId === undefined) cache.invalidate(tenantId);
  else cache.invalidateWhere(tenantId, ({ principal }) => principal.userId === userId);
}

/**
 * The principal of a cached credential.
 * @param tenant the site of the request: its settings may have changed since the principal was cached
 */
export function currentPrincipal(resolved: ResolvedPrincipal, tenant: Tenant): Principal {
  if (resolved.principal.tenant !== tenant) resolved.principal = { ...resolved.principal, tenant };
  return resolved.principal;
}

function maxAgeMsOf({ principal, expiresAt }: ResolvedPrincipal): number {
  if (principal.userId === null) return 0;
  return expiresAt === null ? maxAgeMs : Math.min(maxAgeMs, Date.parse(expiresAt) - Date.now());
}
