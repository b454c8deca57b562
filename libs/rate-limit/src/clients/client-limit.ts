import { clientKey, siteKey } from '../keys/client-key.js';
import type { RateDecision, RateLimit, RateLimiter } from '../port/rate-limiter.js';

/** A limit for each client of a site. */
export interface ClientLimit extends RateLimit {
  /** Maximum uses in a window by all clients without a known address together. */
  ceiling: number;
}

/** The client of a limited operation. */
export interface LimitedClient {
  tenantId: string;
  /** Null: the client cannot be distinguished from others. */
  address: string | null;
  /** The signed-in user; null for other callers. */
  userId: string | null;
}

/**
 * The limit of a /48 network, as a multiple of a client's limit: enough for an office, little for one subscriber with
 * the whole network.
 */
const networksPerSite = 16;
/** Part of the ceiling that only signed-in callers may use. */
const reservedShare = 1 / 4;

/**
 * Counts a use by a client (spec document 1, Limits; decision 55).
 * - A known address has the limit: IPv4 by address, IPv6 by /64, and by /48 with sixteen times as much.
 * - Clients without a known address share the ceiling. A quarter of it is reserved for signed-in callers; each of them
 *   has the limit by user, so that neither an anonymous client nor one user locks out the others.
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
    // A client over its own limit uses nothing of the limit that it shares with its network.
    return own.allowed && site !== undefined ? consume('-network', limit.limit * networksPerSite, site) : own;
  }
  const reserved = Math.max(1, Math.floor(limit.ceiling * reservedShare));
  const shared = () => consume('-unknown', limit.ceiling - reserved, '');
  if (userId === null) return shared();
  const own = await consume('-user', limit.limit, userId);
  if (!own.allowed) return own;
  const reservedUse = await consume('-signed-in', reserved, '');
  return reservedUse.allowed ? reservedUse : shared();
}
