import { QuireError } from '@quire/errors';

const retryAfterSeconds = 2;
const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Whether a service accepted a request, but did not respond in time. */
export function isTimeout(error: unknown): boolean {
  return timeouts.has(codeOf(error));
}

/** The error of a request that a service in another process did not answer. */
export function toUpstreamError(service: string, error: unknown): QuireError {
  if (isTimeout(error)) {
    return new QuireError('GATEWAY_TIMEOUT', `The ${service} service timed out`, {
      cause: error,
    });
  }
  if (notConnected.has(codeOf(error))) {
    return new QuireError('SERVICE_UNAVAILABLE', `The ${service} service is not running; retry later`, {
      retryAfterSeconds,
      cause: error,
    });
  }
  return new QuireError('BAD_GATEWAY', `The ${service} service closed the connection`, { cause: error });
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? '';
}
