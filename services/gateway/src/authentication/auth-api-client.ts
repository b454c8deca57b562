import { gatewayIssuer, systemActor, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceUpstream } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';

/** The client request a call is made for, for the audit log of the auth service. */
export interface RequestOrigin {
  requestId: string;
  clientAddress: string | null;
  /** Origin at which the client reached the site, where the answer depends on it. */
  origin?: string;
}

/** Calls the internal API of the auth service on behalf of the gateway. */
export class AuthApiClient {
  /** One object a tenant, so that the signer can use a signed token again. */
  private readonly actors = new Map<string, Principal>();

  constructor(private readonly auth: ServiceUpstream) {}

  /** @throws QuireError SERVICE_UNAVAILABLE when there is no answer now. */
  async request<Answer>(path: string, body: object, tenant: Tenant, asked?: RequestOrigin): Promise<Answer> {
    const { status, text } = await this.auth.request(`${internalPrefix}/auth/${path}`, body, {
      issuer: gatewayIssuer,
      principal: this.actorOf(tenant),
      ...asked,
    });
    if (status !== 200) {
      throw new QuireError(
        'SERVICE_UNAVAILABLE',
        'Credentials cannot be verified: the auth service is unavailable; retry later',
        {
          retryAfterSeconds: 2,
        },
      );
    }
    return (JSON.parse(text) as { data: Answer }).data;
  }

  private actorOf(tenant: Tenant): Principal {
    let actor = this.actors.get(tenant.id);
    if (!actor) this.actors.set(tenant.id, (actor = systemActor(tenant, 'system:gateway')));
    return actor;
  }
}
