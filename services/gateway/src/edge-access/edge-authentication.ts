import { createHash } from 'node:crypto';
import type { EdgeAccessOptions } from '@quire/config';
import type { Principal } from '@quire/context';
import type { Tenant } from '@quire/tenancy';
import type { AuthApiClient } from '../authentication/index.js';
import type { EdgeAccess, EdgeIdentity } from './edge-access.js';
import { EdgeAccessError } from './edge-access-error.js';
import type { EdgeSessions, RequestInfo, ProxyIdentity } from './edge-sessions.js';

/** What the auth service says of somebody whom the proxy let in. */
type EdgeUserResponse =
  | { outcome: 'known'; userId: string; role: number }
  | { outcome: 'disabled' }
  | { outcome: 'unauthorized' }
  | { outcome: 'role-needed' };

/** A request with what its assertion stands for. */
export interface AuthenticatedEdgeUser {
  principal: Principal;
  /** Text of a session that the browser has to be given. */
  newSession?: string | undefined;
}

const cacheMs = 60_000;
const maxCached = 20_000;

/**
 * Authenticates assertions of the edge access proxy. An assertion is checked at every request; which user it means is
 * asked of the auth service once a minute, and at once after a change of the tenant's users.
 */
export class EdgeAuthentication {
  private readonly users = new Map<string, { principal: Principal; until: number }>();
  private readonly mappedRoles = new Map<string, Promise<number | null>>();
  /** Grows with every drop, so that an answer that was on its way while a change came in is not kept. */
  private generation = 0;

  constructor(
    private readonly access: EdgeAccess,
    private readonly options: EdgeAccessOptions,
    private readonly authClient: AuthApiClient,
    private readonly sessions: EdgeSessions,
  ) {}

  /**
   * Who is meant by a request's assertion.
   * @param keepsSession whether the browser is given a session when it has none
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
   * Whether the proxy made an assertion, whomever it means.
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE.
   */
  async check(assertion: string): Promise<void> {
    await this.access.verify(assertion);
  }

  /** Forgets the users of one tenant, or of all. */
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
    // Role and time of the sign-in are the assertion's: the session was opened on its strength.
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
      this.authClient.request<EdgeUserResponse>(
        'edge/visitor',
        { assertion: { hash, issuedAt }, email, name, mappedRole, autoProvision, defaultRole, syncRoles },
        tenant,
        { requestId: requestInfo.requestId, clientAddress: requestInfo.clientAddress },
      );
    // Groups may have to be asked for elsewhere, so that is done for those alone whose role they decide.
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

  /** Groups are those of the assertion's making: found out once. */
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
