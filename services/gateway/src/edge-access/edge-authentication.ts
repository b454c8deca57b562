import { createHash } from 'node:crypto';
import type { EdgeAccessOptions } from '@quire/config';
import type { Principal } from '@quire/context';
import { authApi } from '@quire/internal-api';
import { createCache } from '@quire/observability';
import type { InternalApiClient } from '@quire/service-client';
import type { Tenant } from '@quire/tenancy';
import { createPrincipalCache, currentPrincipal, invalidatePrincipals } from '../authentication/index.js';
import { EdgeAccessError, type EdgeAccess, type EdgeIdentity } from './edge-access.js';
import type { EdgeSessions, RequestInfo, ProxyIdentity } from './edge-sessions.js';

/** The user of an assertion. */
export interface AuthenticatedEdgeUser {
  principal: Principal;
  /** Token of a new session, for the cookie of the response. */
  newSession?: string | undefined;
}

const maxMappedRoles = 20_000;

/**
 * Authenticates assertions of the edge access proxy. An assertion is verified at every request. Its user is cached for
 * a minute, and invalidated at once by a change of the user.
 */
export class EdgeAuthentication {
  private readonly users = createPrincipalCache('edge_users');
  private readonly mappedRoles = createCache<Promise<number | null>>('edge_roles', { max: maxMappedRoles });

  constructor(
    private readonly access: EdgeAccess,
    private readonly options: EdgeAccessOptions,
    private readonly auth: InternalApiClient,
    private readonly sessions: EdgeSessions,
  ) {}

  /**
   * Returns the user of a request's assertion.
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
    const resolved = await this.users.get(tenant.id, hash, async () => ({
      principal: await this.user({ hash, assertion: String(assertion), identity, tenant, requestInfo }),
      expiresAt: null,
    }));
    const principal = currentPrincipal(resolved, tenant);
    const { userId } = principal;
    if (!keepsSession || userId === null) return { principal };
    return this.withSession(principal, { key: `${tenant.id}:${hash}`, userId, tenant }, requestInfo);
  }

  /**
   * Verifies an assertion, for any user or program.
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE.
   */
  async check(assertion: string): Promise<void> {
    await this.access.verify(assertion);
  }

  /** Invalidates one user, the users of one tenant, or all. */
  invalidate(tenantId?: string, userId?: string): void {
    invalidatePrincipals(this.users, tenantId, userId);
  }

  private async withSession(
    principal: Principal,
    proxyIdentity: ProxyIdentity,
    requestInfo: RequestInfo,
  ): Promise<AuthenticatedEdgeUser> {
    const { session, newText } = await this.sessions.of(proxyIdentity, requestInfo);
    // The session was opened for this assertion; role and time of the sign-in come from the assertion.
    return { principal: { ...principal, sessionId: session.sessionId }, newSession: newText };
  }

  private async user({
    hash,
    assertion,
    identity,
    tenant,
    requestInfo,
  }: {
    hash: string;
    assertion: string;
    identity: EdgeIdentity;
    tenant: Tenant;
    requestInfo: RequestInfo;
  }): Promise<Principal> {
    const { email, name, issuedAt, authenticatedAt } = identity;
    const { autoProvision, defaultRole, syncRoles } = this.options;
    const { requestId, clientAddress, trace } = requestInfo;
    const request = (mappedRole?: number | null) =>
      this.auth.call(
        authApi.resolveEdgeUser,
        { principal: { tenant } },
        { assertion: { hash, issuedAt }, email, name, mappedRole, autoProvision, defaultRole, syncRoles },
        { requestOrigin: { requestId, clientAddress, trace } },
      );
    // Groups may require a request to the proxy's provider, so they are read only when they decide the role.
    let user = await request();
    if (user.outcome === 'role-needed')
      user = await request(await this.mappedRole(hash, assertion, identity));
    if (user.outcome === 'disabled') throw new EdgeAccessError(403, 'Account disabled');
    if (user.outcome !== 'known') throw new EdgeAccessError(403, 'User not authorized');
    const { userId, role } = user;
    return { kind: 'session', tenant, userId, role, authenticatedAt };
  }

  /** Groups belong to the assertion, so each assertion is resolved once. */
  private mappedRole(hash: string, assertion: string, identity: EdgeIdentity): Promise<number | null> {
    const known = this.mappedRoles.get(hash);
    if (known) return known;
    const role = this.access.mappedRole(assertion, identity);
    this.mappedRoles.set(hash, role);
    role.catch(() => this.mappedRoles.peek(hash) === role && this.mappedRoles.delete(hash));
    return role;
  }
}
