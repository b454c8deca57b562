import { createHash } from 'node:crypto';
import { anonymous, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { isHostOnlySessionToken } from '@quire/http-server';
import { authApi } from '@quire/internal-api';
import type { InternalApiClient, RequestOrigin } from '@quire/service-client';
import type { Tenant } from '@quire/tenancy';

interface CachedPrincipal {
  principal: Principal;
  /** Milliseconds since the epoch after which the entry must not be used. */
  until: number;
}

const cacheMs = 60_000;
const maxCached = 20_000;
/** Prefixes of tokens that authenticate; a refresh token never does (contract 4). */
const acceptedPrefixes = ['ec_pat_', 'ec_oat_'];

/**
 * Turns Bearer tokens and session cookies into principals. A principal is cached for a minute at most, and invalidated
 * at once when a credential of the tenant is revoked. Credentials do not leave the gateway: the auth service receives
 * their hashes.
 */
export class CredentialAuthentication {
  private readonly cache = new Map<string, CachedPrincipal>();
  /** Grows with every `drop`, so that a response that crosses a revocation is not cached. */
  private generation = 0;

  constructor(private readonly auth: InternalApiClient) {}

  /**
   * The principal of a Bearer token.
   * @param request the request that carries the token, for the audit log
   * @throws QuireError INVALID_TOKEN when it is unknown, expired, revoked or of a disabled user; SERVICE_UNAVAILABLE,
   *   BAD_GATEWAY or GATEWAY_TIMEOUT when the auth service fails.
   */
  async bearer(token: string, tenant: Tenant, request: RequestOrigin): Promise<Principal> {
    const hash = hashOf(token);
    const key = `${tenant.id}:bearer:${hash}`;
    const cached = this.cached(key);
    if (cached) return cached;
    if (!acceptedPrefixes.some((prefix) => token.startsWith(prefix))) throw invalidToken();
    const { generation } = this;
    const { bearer } = await this.auth.call(
      authApi.verifyBearer,
      { principal: { tenant } },
      { tokenHash: hash },
      { requestOrigin: request },
    );
    if (!bearer) throw invalidToken();
    const { tokenId, tokenKind, userId, role, scopes, expiresAt } = bearer;
    const principal: Principal = { kind: 'token', tenant, userId, role, scopes, tokenId, tokenKind };
    return this.keep(key, generation, expiresAt, principal);
  }

  /**
   * The principal of a session cookie; an anonymous one when the session is unknown or expired.
   * @throws QuireError ACCOUNT_DISABLED, SERVICE_UNAVAILABLE.
   */
  async session(sessionId: string, tenant: Tenant): Promise<Principal> {
    const hash = hashOf(sessionId);
    const key = `${tenant.id}:session:${hash}`;
    const cached = this.cached(key);
    if (cached) return cached;
    const { generation } = this;
    const ctx = { principal: { tenant } };
    const { session } = await this.auth.call(authApi.verifySession, ctx, { tokenHash: hash });
    if (!session) return anonymous(tenant);
    if (session.disabled) throw new QuireError('ACCOUNT_DISABLED', 'This account is disabled');
    const { userId, role, authenticatedAt, expiresAt } = session;
    const principal: Principal = {
      kind: 'session',
      tenant,
      userId,
      role,
      sessionId: session.sessionId,
      authenticatedAt,
    };
    return this.keep(key, generation, expiresAt, principal);
  }

  /**
   * The principal of a browser's session cookies. A cookie that no other host can set takes precedence. Another host
   * may have planted the others: expired and unknown ones are skipped, and sessions of different users count as none,
   * so that a user never works in the account of another one.
   * @param texts see sessionTokensOf
   * @throws QuireError ACCOUNT_DISABLED when there is no other session, SERVICE_UNAVAILABLE.
   */
  async sessionOfCookies(texts: readonly string[], tenant: Tenant): Promise<Principal> {
    const hostOnly = texts.filter(isHostOnlySessionToken);
    const own = await this.oneOf(hostOnly, tenant);
    if (own.userId !== null || hostOnly.length === texts.length) return own;
    return this.oneOf(
      texts.filter((text) => !isHostOnlySessionToken(text)),
      tenant,
    );
  }

  private async oneOf(texts: readonly string[], tenant: Tenant): Promise<Principal> {
    const found = await Promise.allSettled(texts.map((text) => this.session(text, tenant)));
    const live = found.flatMap((result) =>
      result.status === 'fulfilled' && result.value.userId !== null ? [result.value] : [],
    );
    const [first] = live;
    if (first) return live.every(({ userId }) => userId === first.userId) ? first : anonymous(tenant);
    const failed = found.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return anonymous(tenant);
  }

  /** Invalidates the credentials of one tenant, or of all. */
  drop(tenantId?: string): void {
    this.generation += 1;
    for (const key of this.cache.keys()) {
      if (tenantId === undefined || key.startsWith(`${tenantId}:`)) this.cache.delete(key);
    }
  }

  private cached(key: string): Principal | undefined {
    const cached = this.cache.get(key);
    return cached && cached.until > Date.now() ? cached.principal : undefined;
  }

  private keep(key: string, generation: number, expiresAt: string | null, principal: Principal): Principal {
    if (generation !== this.generation) return principal;
    if (this.cache.size >= maxCached) this.cache.clear();
    const until = Date.now() + cacheMs;
    this.cache.set(key, {
      principal,
      until: expiresAt === null ? until : Math.min(until, Date.parse(expiresAt)),
    });
    return principal;
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function invalidToken(): QuireError {
  return new QuireError('INVALID_TOKEN', 'The token is unknown, expired or revoked');
}
