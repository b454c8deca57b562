import { systemActor, type Context, type Principal } from '@quire/context';
import { QuireError, type ErrorEnvelope } from '@quire/errors';
import type { Tenant } from '@quire/tenancy';
import { internalPrefix } from '../bootstrap/paths.js';
import type { RequestOptions, ServiceUpstream } from './service-upstream.js';

/** Calls the internal API of another service on behalf of the installation. */
export class InternalApiClient {
  /** One object a tenant, so that the signer can use a signed token again. */
  private readonly principals = new WeakMap<Tenant, Principal>();

  /**
   * @param upstream finds the way to the service, which may start after the one that asks
   * @param caller the service that asks: "media"
   * @param actor in whose name, where the service has several
   */
  constructor(
    private readonly upstream: () => ServiceUpstream,
    private readonly caller: string,
    private readonly actor: `system:${string}` = `system:${caller}`,
  ) {}

  /**
   * Asks about the site of a context.
   * @param path below the service's internal paths: "file-types"
   * @param body absent for a read
   * @param options see ServiceUpstream.request
   * @returns the answer's data
   * @throws QuireError as the service refused (a 4xx), SERVICE_UNAVAILABLE when it cannot be asked now; Error when it
   *   failed.
   */
  async request<Answer>(
    ctx: Context,
    path: string,
    body?: object,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const upstream = this.upstream();
    const caller = { issuer: this.caller, principal: this.principalOf(ctx.principal.tenant) };
    const { status, text } = await upstream
      .request(`${internalPrefix}/${upstream.service}/${path}`, body, caller, options)
      .catch((error: unknown) => {
        // Not reached, too late, or broken off: for who asks it is all the same.
        if (error instanceof QuireError) throw serviceUnavailable(upstream.service, error);
        throw error;
      });
    if (status === 503) throw serviceUnavailable(upstream.service);
    if (status >= 500) throw new Error(`The ${upstream.service} service failed to answer ${path}: ${status}`);
    if (status >= 400) throw toQuireError(text);
    return (JSON.parse(text) as { data: Answer }).data;
  }

  private principalOf(tenant: Tenant): Principal {
    let principal = this.principals.get(tenant);
    if (!principal) this.principals.set(tenant, (principal = systemActor(tenant, this.actor)));
    return principal;
  }
}

function serviceUnavailable(service: string, cause?: QuireError): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', `The ${service} service is unavailable; retry later`, {
    retryAfterSeconds: 2,
    ...(cause && { cause }),
  });
}

function toQuireError(text: string): QuireError {
  const { code, message, details } = (JSON.parse(text) as ErrorEnvelope).error;
  return new QuireError(code, message, details ? { details } : {});
}
