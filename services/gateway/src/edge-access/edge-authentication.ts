import { createHash } from 'node:crypto';
import type { EdgeAccessOptions } from '@quire/config';
import type { Principal } from '@quire/context';
import { authApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';
import type { Tenant } from '@quire/tenancy';
import type { EdgeAccess, EdgeIdentity } from './edge-access.js';
import { EdgeAccessError } from './edge-access-error.js';
import type { EdgeSessions, RequestInfo, ProxyIdentity } from './edge-sessions.js';

/** The user of an assertion. */
export interface AuthenticatedEdgeUser {
  principal: Principal;
  /** Token of a new session, for the cookie of the response. */
  newSession?: string | undefined;
}

const cacheMs = 60_000;
const maxCached = 20_000;

/**
 * Authenticates assertions of the edge access proxy. An assertion is verified at every request. Its user is cached for
 * a minute, and invalidated at once by a change of the tenant's users.
 */
export class EdgeAuthentication {
  private readonly users = new Map<string, { principal: Principal; until: number }>();
  private readonly mappedRoles = new Map<string, Promise<number | null>>();
  /** Grows with every `drop`, so that a response that crosses a change is not cached. */
  private generation = 0;

  constructor(
    private readonly access: EdgeAccess,
    private readonly options: EdgeAccessOptions,
    private readonly auth: InternalApiClient,
    private readonly sessions: EdgeSessions,
  ) {}

  /**
   * The user of a request's assertion.
   * @param keepsSession whether to open a session for a browser that has none
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE.
   */
  async resolveUser(
    assertion: string | undefined,
    tenant: Tenant,
    requestInfo: RequestInfo,
    keepsSession: boolean,
  ): Promise<AuthenticatedEdgeUser> {
    const identity = await this.access.identify(assertion);
    const hash = createHash('sha256').update(String(assertion)).digest('hex');
    const key = `${tenant.id}:${hash}`;
    const principal = await this.user({
      key,
      hash,
      assertion: String(assertion),
      identity,
      tenant,
      requestInfo,
    });
    const { userId } = principal;
    if (!keepsSession || userId === null) return { principal };
    return this.withSession(principal, { key, userId, tenant }, requestInfo);
  }

  /**
   * Verifies that the proxy made an assertion, whatever user it is for.
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE.
   */
  async check(assertion: string): Promise<void> {
    await this.access.verify(assertion);
  }

  /** Invalidates the users of one tenant, or of all. */
  drop(tenantId?: string): void {
    this.generation += 1;
    for (const key of this.users.keys()) {
      if (tenantId === undefined || key.startsWith(`${tenantId}:`)) this.users.delete(key);
    }
  }

  private async withSession(
    principal: Principal,
    proxyIdentity: ProxyIdentity,
    requestInfo: RequestInfo,
  ): Promise<AuthenticatedEdgeUser> {
    const { session, newText } = await this.sessions.of(proxyIdentity, requestInfo);
    // Role and time of the sign-in come from the assertion, which the session was opened for.
    return { principal: { ...principal, sessionId: session.sessionId }, newSession: newText };
  }

  private async user({
    key,
    hash,
    assertion,
    identity,
    tenant,
    requestInfo,
  }: {
    key: string;
    hash: string;
    assertion: string;
    identity: EdgeIdentity;
    tenant: Tenant;
    requestInfo: RequestInfo;
  }): Promise<Principal> {
    const cached = this.users.get(key);
    if (cached && cached.until > Date.now()) return cached.principal;
    const { generation } = this;
    const { email, name, issuedAt, authenticatedAt } = identity;
    const { autoProvision, defaultRole, syncRoles } = this.options;
    const request = (mappedRole?: number | null) =>
      this.auth.call(
        authApi.resolveEdgeUser,
        { principal: { tenant } },
        { assertion: { hash, issuedAt }, email, name, mappedRole, autoProvision, defaultRole, syncRoles },
        { requestOrigin: { requestId: requestInfo.requestId, clientAddress: requestInfo.clientAddress } },
      );
    // Groups may require a request to the proxy's provider, so they are read only when they decide the role.
    let user = await request();
    if (user.outcome === 'role-needed')
      user = await request(await this.mappedRole(hash, assertion, identity));
    if (user.outcome === 'disabled') throw new EdgeAccessError(403, 'Account disabled');
    if (user.outcome !== 'known') throw new EdgeAccessError(403, 'User not authorized');
    const { userId, role } = user;
    const principal: Principal = { kind: 'session', tenant, userId, role, authenticatedAt };
    if (generation === this.generation) keep(this.users, key, { principal, until: Date.now() + cacheMs });
    return principal;
  }

  /** Groups belong to the assertion, so each assertion is resolved once. */
  private mappedRole(hash: string, assertion: string, identity: EdgeIdentity): Promise<number | null> {
    const known = this.mappedRoles.get(hash);
    if (known) return known;
    const role = this.access.mappedRole(assertion, identity);
    keep(this.mappedRoles, hash, role);
    role.catch(() => this.mappedRoles.get(hash) === role && this.mappedRoles.delete(hash));
    return role;
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= maxCached) map.clear();
  map.set(key, value);
}
