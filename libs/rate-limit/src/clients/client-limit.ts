import { clientKey, siteKey } from '../keys/client-key.js';
import type { RateDecision, RateLimit, RateLimiter } from '../port/rate-limiter.js';

/** A limit for each client of a site. */
export interface ClientLimit extends RateLimit {
  /** Most uses in a window by all clients together whose address is not known. */
  ceiling: number;
}

/** Who uses something that is limited. */
export interface LimitedClient {
  tenantId: string;
  /** Null: the client cannot be distinguished from others. */
  address: string | null;
  /** The signed-in user; null for other callers. */
  userId: string | null;
}

/**
 * So many times a client's limit is what its /48 network has: enough for an office, little for one subscriber
 * with all of it.
 */
const networksPerSite = 16;
/** Part of the ceiling that only callers who have signed in may use. */
const reservedShare = 1 / 4;

/**
 * Counts a use by a client (spec document 1, Limits; decision 55).
 * - A known address has the limit: IPv4 by address, IPv6 by /64, and by /48 with sixteen times as much.
 * - Clients without a known address share the ceiling. A quarter of it is kept for callers who have signed
 *   in; each of them has the limit by user, so that neither an anonymous client nor one user locks out the
 *   others.
 */
export async function consumeAsClient(
  limiter: RateLimiter,
  limit: ClientLimit,
  { tenantId, address, userId }: LimitedClient,
): Promise<RateDecision> {
  const consume = (suffix: string, points: number, key: string) =>
    limiter.consume({ ...limit, name: limit.name + suffix, limit: points }, `${tenantId} ${key}`);

  if (address !== null) {
    const site = siteKey(address);
    const own = await consume('', limit.limit, clientKey(address));
    // A client that is over its own limit uses up nothing of its neighbours'.
    return own.allowed && site !== undefined ? consume('-network', limit.limit * networksPerSite, site) : own;
  }
  const reserved = Math.max(1, Math.floor(limit.ceiling * reservedShare));
  const shared = () => consume('-unknown', limit.ceiling - reserved, '');
  if (userId === null) return shared();
  const own = await consume('-user', limit.limit, userId);
  if (!own.allowed) return own;
  const kept = await consume('-signed-in', reserved, '');
  return kept.allowed ? kept : shared();
}
