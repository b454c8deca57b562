import type { ErrorCode, QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';

/** Tokens and codes stay out of every cache (RFC 6749, 5.1). */
export const noStoreHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** Failures that OAuth has a word of its own for: it is the code in lower case. */
const protocolCodes: ReadonlySet<ErrorCode> = new Set([
  'INVALID_REQUEST',
  'INVALID_GRANT',
  'INVALID_SCOPE',
  'INVALID_CLIENT_METADATA',
  'INVALID_REDIRECT_URI',
  'UNSUPPORTED_GRANT_TYPE',
  'UNAUTHORIZED_CLIENT',
  'AUTHORIZATION_PENDING',
  'SLOW_DOWN',
  'ACCESS_DENIED',
  'EXPIRED_TOKEN',
]);
const malformedCodes: ReadonlySet<ErrorCode> = new Set(['VALIDATION_ERROR', 'INVALID_JSON']);

/**
 * Says a failure as RFC 6749 does: at top level, in lower case (contract 32). What is none of the protocol's failures,
 * a rate limit above all, is left to the envelope.
 * @param malformed the protocol's word for input that is not well-formed
 */
export function mapProtocolError(malformed: string): (error: QuireError) => MappedErrorResponse | undefined {
  return (error) => {
    const word = wordOf(error.code, malformed);
    if (word === undefined) return undefined;
    const interval = error.details?.['interval'];
    return {
      status: 400,
      headers: { ...noStoreHeaders },
      body: {
        error: word,
        error_description: toErrorDescription(error.message),
        ...(interval === undefined ? {} : { interval }),
      },
    };
  };
}

function wordOf(code: ErrorCode, malformed: string): string | undefined {
  if (malformedCodes.has(code)) return malformed;
  return protocolCodes.has(code) ? code.toLowerCase() : undefined;
}

/** A description is printable ASCII without quotes and backslashes (RFC 6749, 5.2). */
function toErrorDescription(message: string): string {
  return message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
