import { gatewayIssuer, systemActor, type Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';

/** The request that a question is about, for the records of the auth service. */
export interface AskedFor {
  requestId: string;
  clientAddress: string | null;
  /** Origin at which the client reached the site, where the answer depends on it. */
  origin?: string;
}

/** What the gateway asks the auth service, on its own behalf. */
export class AuthQuestions {
  /** One object a tenant, so that the signer can use a signed token again. */
  private readonly actors = new Map<string, Principal>();

  constructor(private readonly auth: ServiceDoor) {}

  /** @throws QuireError SERVICE_UNAVAILABLE when there is no answer now. */
  async ask<Answer>(question: string, body: object, tenant: Tenant, asked?: AskedFor): Promise<Answer> {
    const { status, text } = await this.auth.ask(`${internalPrefix}/auth/${question}`, body, {
      issuer: gatewayIssuer,
      principal: this.actorOf(tenant),
      ...asked,
    });
    if (status !== 200) {
      throw new QuireError('SERVICE_UNAVAILABLE', 'Credentials cannot be checked now; try again shortly', {
        retryAfterSeconds: 2,
      });
    }
    return (JSON.parse(text) as { data: Answer }).data;
  }

  private actorOf(tenant: Tenant): Principal {
    let actor = this.actors.get(tenant.id);
    if (!actor) this.actors.set(tenant.id, (actor = systemActor(tenant, 'system:gateway')));
    return actor;
  }
}
