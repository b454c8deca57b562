import { systemActor, type Context, type Principal } from '@quire/context';
import { QuireError, type ErrorEnvelope } from '@quire/errors';
import type { Tenant } from '@quire/tenancy';
import { internalPrefix } from '../bootstrap/paths.js';
import type { AskTerms, ServiceDoor } from './service-door.js';

/** What one service asks another on the installation's own behalf. */
export class ServiceQuestions {
  /** One object a tenant, so that the signer can use a signed token again. */
  private readonly principals = new WeakMap<Tenant, Principal>();

  /**
   * @param door finds the way to the service, which may start after the one that asks
   * @param asking the service that asks: "media"
   * @param actor in whose name, where the service has several
   */
  constructor(
    private readonly door: () => ServiceDoor,
    private readonly asking: string,
    private readonly actor: `system:${string}` = `system:${asking}`,
  ) {}

  /**
   * Asks about the site of a context.
   * @param question below the service's internal paths: "file-types"
   * @param body absent for a read
   * @param terms see ServiceDoor.ask
   * @returns the answer's data
   * @throws QuireError as the service refused (a 4xx), SERVICE_UNAVAILABLE when it cannot be asked now; Error when it failed.
   */
  async ask<Answer>(ctx: Context, question: string, body?: object, terms: AskTerms = {}): Promise<Answer> {
    const door = this.door();
    const caller = { issuer: this.asking, principal: this.principalOf(ctx.principal.tenant) };
    const { status, text } = await door
      .ask(`${internalPrefix}/${door.service}/${question}`, body, caller, terms)
      .catch((error: unknown) => {
        // Not reached, too late, or broken off: for who asks it is all the same.
        if (error instanceof QuireError) throw cannotBeAsked(door.service, error);
        throw error;
      });
    if (status === 503) throw cannotBeAsked(door.service);
    if (status >= 500) throw new Error(`The ${door.service} service failed to answer ${question}: ${status}`);
    if (status >= 400) throw refusal(text);
    return (JSON.parse(text) as { data: Answer }).data;
  }

  private principalOf(tenant: Tenant): Principal {
    let principal = this.principals.get(tenant);
    if (!principal) this.principals.set(tenant, (principal = systemActor(tenant, this.actor)));
    return principal;
  }
}

function cannotBeAsked(service: string, cause?: QuireError): QuireError {
  return new QuireError(
    'SERVICE_UNAVAILABLE',
    `The ${service} service cannot be asked now; try again shortly`,
    { retryAfterSeconds: 2, ...(cause && { cause }) },
  );
}

function refusal(text: string): QuireError {
  const { code, message, details } = (JSON.parse(text) as ErrorEnvelope).error;
  return new QuireError(code, message, details ? { details } : {});
}
