import { createHash } from 'node:crypto';
import type { InternalTokenSigner } from '@quire/context';
import { internalTokenHeader, systemActor, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';

interface CachedPrincipal {
  principal: Principal;
  /** Milliseconds since the epoch after which the entry must not be used. */
  until: number;
}

interface BearerAnswer {
  data: {
    bearer: {
      tokenId: string;
      userId: string;
      role: number;
      scopes: string[];
      expiresAt: string | null;
    } | null;
  };
}

const cacheMs = 60_000;
const maximumCached = 20_000;
const bearerPath = `${internalPrefix}/auth/credentials/bearer`;
/** Prefixes of tokens that authenticate; a refresh token never does (contract 4). */
const acceptedPrefixes = ['ec_pat_', 'ec_oat_'];

/**
 * Turns Bearer tokens into principals. What the auth service said of a token is used for a minute at most and forgotten
 * at once when a credential of the tenant is revoked.
 */
export class BearerAuthentication {
  private readonly cache = new Map<string, CachedPrincipal>();
  /** Grows with every drop, so that an answer that was on its way while a revocation came in is not kept. */
  private generation = 0;

  constructor(
    private readonly auth: ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /**
   * The principal of a token.
   * @throws QuireError INVALID_TOKEN when it is unknown, expired, revoked or of a disabled user; SERVICE_UNAVAILABLE
   * when that cannot be found out now.
   */
  async authenticate(token: string, tenant: Tenant): Promise<Principal> {
    const hash = createHash('sha256').update(token).digest('hex');
    const key = `${tenant.id}:${hash}`;
    const cached = this.cache.get(key);
    if (cached && cached.until > Date.now()) return cached.principal;
    if (!acceptedPrefixes.some((prefix) => token.startsWith(prefix))) throw invalidToken();
    return this.look(key, hash, tenant);
  }

  /** Forgets the tokens of one tenant, or of all. */
  drop(tenantId?: string): void {
    this.generation += 1;
    for (const key of this.cache.keys()) {
      if (tenantId === undefined || key.startsWith(`${tenantId}:`)) this.cache.delete(key);
    }
  }

  private async look(key: string, tokenHash: string, tenant: Tenant): Promise<Principal> {
    const { generation } = this;
    const token = this.signer.sign(systemActorOf(tenant));
    const { status, text } = await this.auth.ask(bearerPath, { tokenHash }, { [internalTokenHeader]: token });
    if (status !== 200) {
      throw new QuireError('SERVICE_UNAVAILABLE', 'Credentials cannot be checked now; try again shortly', {
        retryAfterSeconds: 2,
      });
    }
    const { bearer } = (JSON.parse(text) as BearerAnswer).data;
    if (!bearer) throw invalidToken();
    const { tokenId, userId, role, scopes, expiresAt } = bearer;
    const principal: Principal = { kind: 'token', tenant, userId, role, scopes, tokenId };
    if (generation === this.generation) this.keep(key, principal, expiresAt);
    return principal;
  }

  private keep(key: string, principal: Principal, expiresAt: string | null): void {
    if (this.cache.size >= maximumCached) this.cache.clear();
    const until = Date.now() + cacheMs;
    this.cache.set(key, {
      principal,
      until: expiresAt === null ? until : Math.min(until, Date.parse(expiresAt)),
    });
  }
}

const actors = new Map<string, Principal>();

/** One object a tenant, so that the signer can use a signed token again. */
function systemActorOf(tenant: Tenant): Principal {
  let actor = actors.get(tenant.id);
  if (!actor) actors.set(tenant.id, (actor = systemActor(tenant, 'system:gateway')));
  return actor;
}

function invalidToken(): QuireError {
  return new QuireError('INVALID_TOKEN', 'The token is unknown, expired or revoked');
}
