import type { ErrorCode } from '@quire/errors';
import type { OperationDeclaration } from '@quire/operation';
import type { z } from 'zod';

/** Services that other parts of the installation call. */
export type CalledService = 'auth' | 'content' | 'media' | 'search';

/**
 * An operation for the other parts of an installation. Both sides use the one declaration: the controller of the
 * service implements it with `@Operation(...)`, a caller passes it to `InternalApiClient.call`.
 */
export interface InternalOperation<
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType = z.ZodType,
> extends OperationDeclaration<undefined, undefined, Body> {
  response: Response;
}

interface InternalOperationOptions<Body, Response> {
  /** Unique within the service, and the name of the exported constant. */
  id: string;
  /** Below the internal paths of the service: "users/by-ids". */
  path: string;
  summary: string;
  /** Absent for an operation without input. */
  body?: Body;
  response: Response;
  /** Maximum size of the body, in bytes; default: that of every operation. */
  maxBodyBytes?: number;
  /** Seconds until the response has to begin, where the default is not enough. */
  timeoutSeconds?: number;
  /** Codes that callers handle. */
  errors?: readonly ErrorCode[];
  /** True for writes that are rejected while the site is read-only; their callers get SERVICE_UNAVAILABLE. */
  isBlockedInReadOnlyMode?: boolean;
}

/**
 * Declares an internal operation at `internal/<service>/<path>`. An operation with a body is a POST, any other a GET.
 * Only system principals may call it, and it is not part of the OpenAPI document.
 */
export function declareInternalOperation<
  Response extends z.ZodType,
  Body extends z.ZodType | undefined = undefined,
>(
  service: CalledService,
  { path, ...options }: InternalOperationOptions<Body, Response>,
): InternalOperation<Body, Response> {
  return {
    ...options,
    method: options.body ? 'POST' : 'GET',
    path: `internal/${service}/${path}`,
    tag: 'Internal',
    access: 'internal',
    scope: null,
    isDocumented: false,
  };
}

/** The input of an internal operation for its caller; undefined for an operation without input. */
export type CallInput<Operation> =
  Operation extends InternalOperation<infer Body>
    ? Body extends z.ZodType
      ? z.input<Body>
      : undefined
    : never;

/** The parsed input of an internal operation. */
export type RequestOf<Operation> =
  Operation extends InternalOperation<infer Body>
    ? Body extends z.ZodType
      ? z.output<Body>
      : undefined
    : never;

/** The output of an internal operation, for the service and its caller. */
export type ResponseOf<Operation> =
  Operation extends InternalOperation<z.ZodType | undefined, infer Response> ? z.output<Response> : never;
