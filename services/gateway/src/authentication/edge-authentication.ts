import { createHash } from 'node:crypto';
import type { EdgeAccessOptions } from '@quire/config';
import { internalTokenHeader, systemActor, type InternalTokenSigner, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';
import { EdgeRefusal, type EdgeAccess } from './edge-access.js';

/** What the auth service says of somebody whom the proxy let in. */
type EdgeUser =
  { outcome: 'known'; userId: string; role: number } | { outcome: 'disabled' } | { outcome: 'unauthorized' };

const cacheMs = 60_000;
const maximumCached = 20_000;
const path = `${internalPrefix}/auth/credentials/edge`;

/**
 * Turns assertions of the edge access proxy into principals. An assertion is checked at every request; which user it means is
 * asked of the auth service once a minute, and at once after a change of the tenant's users.
 */
export class EdgeAuthentication {
  private readonly cache = new Map<string, { principal: Principal; until: number }>();
  /** Grows with every drop, so that an answer that was on its way while a change came in is not kept. */
  private generation = 0;

  constructor(
    private readonly access: EdgeAccess,
    private readonly options: EdgeAccessOptions,
    private readonly auth: ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /** @throws EdgeRefusal, QuireError SERVICE_UNAVAILABLE. */
  async principal(assertion: string | undefined, tenant: Tenant): Promise<Principal> {
    const identity = await this.access.identify(assertion);
    const key = `${tenant.id}:${createHash('sha256').update(String(assertion)).digest('hex')}`;
    const cached = this.cache.get(key);
    if (cached && cached.until > Date.now()) return cached.principal;
    const { generation } = this;
    const { autoProvision, defaultRole, syncRoles } = this.options;
    const user = await this.ask({ ...identity, autoProvision, defaultRole, syncRoles }, tenant);
    if (user.outcome === 'disabled') throw new EdgeRefusal(403, 'Account disabled');
    if (user.outcome === 'unauthorized') throw new EdgeRefusal(403, 'User not authorized');
    const principal: Principal = { kind: 'session', tenant, userId: user.userId, role: user.role };
    if (generation === this.generation) {
      if (this.cache.size >= maximumCached) this.cache.clear();
      this.cache.set(key, { principal, until: Date.now() + cacheMs });
    }
    return principal;
  }

  /** Forgets the users of one tenant, or of all. */
  drop(tenantId?: string): void {
    this.generation += 1;
    for (const key of this.cache.keys()) {
      if (tenantId === undefined || key.startsWith(`${tenantId}:`)) this.cache.delete(key);
    }
  }

  private async ask(body: object, tenant: Tenant): Promise<EdgeUser> {
    const token = this.signer.sign(systemActor(tenant, 'system:gateway'));
    const { status, text } = await this.auth.ask(path, body, { [internalTokenHeader]: token });
    if (status !== 200) {
      throw new QuireError('SERVICE_UNAVAILABLE', 'Users cannot be looked up now; try again shortly', {
        retryAfterSeconds: 2,
      });
    }
    return (JSON.parse(text) as { data: EdgeUser }).data;
  }
}
