import { createHash } from 'node:crypto';
import { anonymous, gatewayIssuer, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { isHostOnlySessionToken } from '@quire/http-server';
import { authApi } from '@quire/internal-api';
import { InternalApiClient, type RequestOrigin, type ServiceUpstream } from '@quire/service-client';
import type { Tenant } from '@quire/tenancy';
import {
  createPrincipalCache,
  currentPrincipal,
  invalidatePrincipals,
  type ResolvedPrincipal,
} from './principal-cache.js';

/** Prefixes of tokens that authenticate; a refresh token never does (contract 4). */
const acceptedPrefixes = ['ec_pat_', 'ec_oat_'];

/**
 * Resolves Bearer tokens and session cookies to principals. A principal is cached for a minute at most, and invalidated
 * at once when a credential of its user is revoked. Credentials do not leave the gateway: the auth service receives
 * their hashes.
 */
export class CredentialAuthentication {
  private readonly cache = createPrincipalCache('credentials');

  constructor(private readonly auth: InternalApiClient) {}

  /**
   * Returns the principal of a Bearer token.
   * @param request the request that carries the token, for the audit log
   * @throws QuireError INVALID_TOKEN when the token is unknown, expired, revoked or of a disabled user;
   *   SERVICE_UNAVAILABLE, BAD_GATEWAY or GATEWAY_TIMEOUT when the auth service fails.
   */
  async bearer(token: string, tenant: Tenant, request: RequestOrigin): Promise<Principal> {
    if (!acceptedPrefixes.some((prefix) => token.startsWith(prefix))) throw invalidToken();
    const hash = hashOf(token);
    const load = () => this.verifyBearer(hash, tenant, request);
    return currentPrincipal(await this.cache.get(tenant.id, `bearer:${hash}`, load), tenant);
  }

  /**
   * Returns the principal of a session cookie: an anonymous one when the session is unknown or expired.
   * @param trace trace context of the request
   * @throws QuireError ACCOUNT_DISABLED, SERVICE_UNAVAILABLE.
   */
  async session(sessionId: string, tenant: Tenant, trace?: string): Promise<Principal> {
    const hash = hashOf(sessionId);
    const load = () => this.verifySession(hash, tenant, trace);
    return currentPrincipal(await this.cache.get(tenant.id, `session:${hash}`, load), tenant);
  }

  /**
   * Returns the principal of a browser's session cookies. A cookie that no other host can set takes precedence. Another
   * host may have planted the others: expired and unknown ones are skipped, and sessions of different users count as
   * none, so that a user never works in the account of another one.
   * @param texts see sessionTokensOf
   * @throws QuireError ACCOUNT_DISABLED when there is no other session, SERVICE_UNAVAILABLE.
   */
  async sessionOfCookies(texts: readonly string[], tenant: Tenant, trace?: string): Promise<Principal> {
    const hostOnly = texts.filter(isHostOnlySessionToken);
    const own = await this.oneOf(hostOnly, tenant, trace);
    if (own.userId !== null || hostOnly.length === texts.length) return own;
    return this.oneOf(
      texts.filter((text) => !isHostOnlySessionToken(text)),
      tenant,
      trace,
    );
  }

  private async oneOf(texts: readonly string[], tenant: Tenant, trace?: string): Promise<Principal> {
    const found = await Promise.allSettled(texts.map((text) => this.session(text, tenant, trace)));
    const live = found.flatMap((result) =>
      result.status === 'fulfilled' && result.value.userId !== null ? [result.value] : [],
    );
    const [first] = live;
    if (first) return live.every(({ userId }) => userId === first.userId) ? first : anonymous(tenant);
    const failed = found.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return anonymous(tenant);
  }

  /** Invalidates the credentials of a user, of one tenant, or all. */
  invalidate(tenantId?: string, userId?: string): void {
    invalidatePrincipals(this.cache, tenantId, userId);
  }

  private async verifyBearer(
    tokenHash: string,
    tenant: Tenant,
    requestOrigin: RequestOrigin,
  ): Promise<ResolvedPrincipal> {
    const ctx = { principal: { tenant } };
    const { bearer } = await this.auth.call(authApi.verifyBearer, ctx, { tokenHash }, { requestOrigin });
    if (!bearer) throw invalidToken();
    const { expiresAt, clientId, ...rights } = bearer;
    const principal: Principal = { kind: 'token', tenant, ...rights, clientId: clientId ?? undefined };
    return { principal, expiresAt };
  }

  private async verifySession(tokenHash: string, tenant: Tenant, trace?: string): Promise<ResolvedPrincipal> {
    const ctx = { principal: { tenant }, trace };
    const { session } = await this.auth.call(authApi.verifySession, ctx, { tokenHash });
    if (!session) return { principal: anonymous(tenant), expiresAt: null };
    if (session.disabled) throw new QuireError('ACCOUNT_DISABLED', 'This account is disabled');
    const { userId, role, sessionId, authenticatedAt, expiresAt } = session;
    return {
      principal: { kind: 'session', tenant, userId, role, sessionId, authenticatedAt },
      expiresAt,
    };
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function invalidToken(): QuireError {
  return new QuireError('INVALID_TOKEN', 'The token is unknown, expired or revoked');
}

/** Creates the gateway's client of the auth service. A failed call throws a 502, 503 or 504. */
export function createAuthClient(auth: ServiceUpstream): InternalApiClient {
  return new InternalApiClient({ upstream: () => auth, caller: gatewayIssuer, mapError: toCredentialsError });
}

/**
 * A failure of auth does not reject the credential, so the client gets no 401. An unreachable service gives the same
 * error as for a forwarded request: 502, 503 or 504.
 */
function toCredentialsError(error: Error): QuireError {
  if (error.cause instanceof QuireError) return error.cause;
  return new QuireError(
    'SERVICE_UNAVAILABLE',
    'Credentials cannot be verified: the auth service is unavailable; retry later',
    { retryAfterSeconds: 2, cause: error },
  );
}
