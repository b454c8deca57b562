import { systemActor, type Principal } from '@quire/context';
import { errorStatus, QuireError } from '@quire/errors';
import { pathOf } from '@quire/http-server';
import type { CallInput, InternalOperation, ResponseOf } from '@quire/internal-api';
import type { Tenant } from '@quire/tenancy';
import { inSpan } from '@quire/tracing';
import { parseError } from './parse-error.js';
import type { InternalCaller, RequestOptions, RequestOrigin, ServiceUpstream } from './service-upstream.js';

const retryAfterSeconds = 2;

export interface InternalApiClientOptions {
  /** Returns the upstream of the service, which may start after its callers. */
  upstream: () => ServiceUpstream;
  /** The part of the installation that calls: "media". Its key signs the requests. */
  caller: string;
  /** Name of the system principal; `system:<caller>` unless given. */
  actor?: `system:${string}`;
  /** Replaces the error of a failed call, see `call`. */
  mapError?: (error: Error) => Error;
}

/** The site of a call; a `Context` is one. */
export interface CallContext {
  principal: Pick<Principal, 'tenant'>;
  trace?: string | undefined;
}

export interface CallOptions extends RequestOptions {
  /** The client request that the call is made for, for operations that audit it. */
  requestOrigin?: RequestOrigin;
}

/** Input and options of a call; the input of an operation without a body is undefined. */
type CallArguments<Operation> =
  CallInput<Operation> extends undefined
    ? [input?: undefined, options?: CallOptions]
    : [input: CallInput<Operation>, options?: CallOptions];

/** Calls the internal operations of one service as a system principal. */
export class InternalApiClient {
  /** One object per tenant, so that the signer can reuse a signed token. */
  private readonly principals = new WeakMap<Tenant, Principal>();
  private readonly actor: `system:${string}`;

  constructor(private readonly options: InternalApiClientOptions) {
    this.actor = options.actor ?? `system:${options.caller}`;
  }

  /**
   * Calls an operation for the site of a context. The response is not parsed: the service has the type of the same
   * declaration.
   * @throws QuireError of the service (a 4xx, or STORAGE_QUOTA_EXCEEDED), SERVICE_UNAVAILABLE when the service is
   *   unreachable, times out or responds with 503; Error for any other 5xx. `mapError` replaces them.
   */
  async call<Operation extends InternalOperation>(
    operation: Operation,
    ctx: CallContext,
    ...[input, options = {}]: CallArguments<Operation>
  ): Promise<ResponseOf<Operation>> {
    const { requestOrigin } = options;
    const parent = requestOrigin?.trace ?? ctx.trace;
    const { tenant } = ctx.principal;
    const send = (trace: string | undefined) => {
      const { caller: issuer } = this.options;
      return this.send(operation, { issuer, principal: this.principalOf(tenant), ...requestOrigin, trace }, [
        input,
        options,
      ]);
    };
    // Calls of polls and sweeps have no trace, and get no span.
    if (parent === undefined) return send(undefined);
    const attributes = { 'quire.operation': operation.id, 'quire.tenant': tenant.id };
    return inSpan(`call ${operation.id}`, { kind: 'client', parent, attributes }, send);
  }

  private async send<Operation extends InternalOperation>(
    operation: Operation,
    caller: InternalCaller,
    [input, { requestOrigin: _, ...options }]: [unknown, CallOptions],
  ): Promise<ResponseOf<Operation>> {
    const { mapError = identity } = this.options;
    const upstream = this.options.upstream();
    const { status, text } = await upstream
      .request(pathOf(operation.path), input, caller, { ...timeoutOf(operation), ...options })
      .catch((error: unknown) => {
        if (error instanceof QuireError) throw mapError(serviceUnavailable(upstream.service, error));
        throw error;
      });
    if (status >= 400) throw mapError(toCallError(upstream.service, operation, status, text));
    return (JSON.parse(text) as { data: ResponseOf<Operation> }).data;
  }

  private principalOf(tenant: Tenant): Principal {
    let principal = this.principals.get(tenant);
    if (!principal) this.principals.set(tenant, (principal = systemActor(tenant, this.actor)));
    return principal;
  }
}

function timeoutOf({ timeoutSeconds }: InternalOperation): RequestOptions {
  return timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 };
}

const identity = (error: Error) => error;

function toCallError(service: string, { id }: InternalOperation, status: number, text: string): Error {
  if (status === 503) return serviceUnavailable(service);
  // A full storage is a condition of the site, and no fault of the service.
  const isOfSite = status < 500 || status === errorStatus.STORAGE_QUOTA_EXCEEDED;
  const error = isOfSite ? parseError(text) : undefined;
  return error ?? new Error(`The ${service} service failed to perform ${id}: ${status}`);
}

function serviceUnavailable(service: string, cause?: QuireError): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', `The ${service} service is unavailable; retry later`, {
    retryAfterSeconds,
    ...(cause && { cause }),
  });
}
