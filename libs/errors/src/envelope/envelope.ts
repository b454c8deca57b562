import { stringifyJson } from '@quire/values';
import type { ErrorCode } from '../codes/error-codes.js';
import { QuireError, type ErrorDetails } from '../codes/quire-error.js';

export interface ErrorEnvelope {
  success: false;
  error: { code: ErrorCode; message: string; details?: ErrorDetails };
}

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: ErrorEnvelope;
}

/** Default headers of every response (contract 1, decision 36). */
export const securityHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' };

/** JSON text of a success envelope around an operation's result (spec document 1, Response envelope). */
export function successText(data: unknown): string {
  return `{"success":true,"data":${stringifyJson(data)}}`;
}

/** Status, headers and body of the response for a QuireError. */
export function toErrorResponse(error: QuireError): ErrorResponse {
  const headers: Record<string, string> = { ...securityHeaders };
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  return {
    status: error.status,
    headers,
    body: {
      success: false,
      error: {
        code: error.code,
        message: error.message,
        ...(error.details === undefined ? {} : { details: error.details }),
      },
    },
  };
}

/** The client's view of an unexpected failure: only a request id (design 7). */
export function unexpectedError(requestId: string): QuireError {
  return new QuireError('INTERNAL_ERROR', 'Internal server error', { details: { requestId } });
}
