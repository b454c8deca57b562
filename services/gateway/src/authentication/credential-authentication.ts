import { createHash } from 'node:crypto';
import { anonymous, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { isHostOnlySessionToken, type ServiceUpstream } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';
import { AuthApiClient, type RequestOrigin } from './auth-api-client.js';

interface CachedPrincipal {
  principal: Principal;
  /** Milliseconds since the epoch after which the entry must not be used. */
  until: number;
}

/** What the auth service says of a token. */
interface KnownBearer {
  tokenId: string;
  tokenKind: 'personal' | 'oauth';
  userId: string;
  role: number;
  scopes: string[];
  expiresAt: string | null;
}

/** What the auth service says of a session. */
interface KnownSession {
  sessionId: string;
  userId: string;
  role: number;
  disabled: boolean;
  authenticatedAt: string;
  expiresAt: string;
}

const cacheMs = 60_000;
const maxCached = 20_000;
/** Prefixes of tokens that authenticate; a refresh token never does (contract 4). */
const acceptedPrefixes = ['ec_pat_', 'ec_oat_'];

/**
 * Turns Bearer tokens and session cookies into principals. What the auth service said of one is used for a minute at
 * most and forgotten at once when a credential of the tenant is revoked. Their texts stay in the gateway: the auth
 * service is asked by their hashes.
 */
export class CredentialAuthentication {
  private readonly cache = new Map<string, CachedPrincipal>();
  /** Grows with every drop, so that an answer that was on its way while a revocation came in is not kept. */
  private generation = 0;
  private readonly authClient: AuthApiClient;

  constructor(auth: ServiceUpstream) {
    this.authClient = new AuthApiClient(auth);
  }

  /**
   * The principal of a Bearer token.
   * @param request which the token came with, for the audit log
   * @throws QuireError INVALID_TOKEN when it is unknown, expired, revoked or of a disabled user; SERVICE_UNAVAILABLE
   * when that cannot be found out now.
   */
  async bearer(token: string, tenant: Tenant, request: RequestOrigin): Promise<Principal> {
    const hash = hashOf(token);
    const key = `${tenant.id}:bearer:${hash}`;
    const cached = this.cached(key);
    if (cached) return cached;
    if (!acceptedPrefixes.some((prefix) => token.startsWith(prefix))) throw invalidToken();
    const { generation } = this;
    const { bearer } = await this.authClient.request<{ bearer: KnownBearer | null }>(
      'credentials/bearer',
      { tokenHash: hash },
      tenant,
      request,
    );
    if (!bearer) throw invalidToken();
    const { tokenId, tokenKind, userId, role, scopes, expiresAt } = bearer;
    const principal: Principal = { kind: 'token', tenant, userId, role, scopes, tokenId, tokenKind };
    return this.keep(key, generation, expiresAt, principal);
  }

  /**
   * The principal of a session cookie: nobody in particular when the session is unknown or over.
   * @throws QuireError ACCOUNT_DISABLED, SERVICE_UNAVAILABLE.
   */
  async session(sessionId: string, tenant: Tenant): Promise<Principal> {
    const hash = hashOf(sessionId);
    const key = `${tenant.id}:session:${hash}`;
    const cached = this.cached(key);
    if (cached) return cached;
    const { generation } = this;
    const asked = { tokenHash: hash };
    const path = 'credentials/session';
    const { session } = await this.authClient.request<{ session: KnownSession | null }>(path, asked, tenant);
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
   * The principal of a browser's session cookies. One that no other host can set counts before all others.
   * Among those that another host may have planted, what is over or unknown is passed by, and sessions of
   * different users count as none: nobody is to work in somebody else's account.
   * @param texts see sessionTokensOf
   * @throws QuireError ACCOUNT_DISABLED when no other session is there, SERVICE_UNAVAILABLE.
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

  /** Forgets the credentials of one tenant, or of all. */
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
