import type { ErrorCode, QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';

/** Grant type of the device flow (RFC 8628). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** Identifier of the authorization server (RFC 8414). @param origin of the site */
export function issuerOf(origin: string): string {
  return `${origin}/_cms`;
}

/** Address of the MCP server, the only resource of the tokens (RFC 8707). @param origin of the site */
export function resourceOf(origin: string): string {
  return `${origin}/_cms/api/mcp`;
}

/** Tokens and codes stay out of every cache (RFC 6749, 5.1). */
export const noStoreHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** Errors that OAuth defines: its code is ours in lower case. */
const protocolCodes: ReadonlySet<ErrorCode> = new Set([
  'INVALID_REQUEST',
  'INVALID_GRANT',
  'INVALID_SCOPE',
  'INVALID_TARGET',
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

/** Whether a client may use a grant type. @param registered null for a client that may use any */
export function mayUseGrantType(registered: readonly string[] | null, type: string): boolean {
  return registered === null || registered.includes(type);
}

/**
 * Maps errors to the error responses of RFC 6749, 5.2: at top level, codes in lower case (contract 32). Errors outside
 * the protocol, such as a rate limit, keep the envelope.
 * @param malformed the protocol's code for malformed input
 */
export function mapProtocolError(malformed: string): (error: QuireError) => MappedErrorResponse | undefined {
  return (error) => {
    const protocolError = toProtocolCode(error.code, malformed);
    if (protocolError === undefined) return undefined;
    const interval = error.details?.['interval'];
    return {
      status: 400,
      headers: { ...noStoreHeaders },
      body: {
        error: protocolError,
        error_description: toErrorDescription(error.message),
        ...(interval === undefined ? {} : { interval }),
      },
    };
  };
}

function toProtocolCode(code: ErrorCode, malformed: string): string | undefined {
  if (malformedCodes.has(code)) return malformed;
  return protocolCodes.has(code) ? code.toLowerCase() : undefined;
}

/** A description is printable ASCII without quotes and backslashes (RFC 6749, 5.2). */
function toErrorDescription(message: string): string {
  return message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
