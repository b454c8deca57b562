import { RpcError, rpcCode } from './json-rpc.js';

const json = 'application/json';
const eventStream = 'text/event-stream';

const zeroQuality = /;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i;

/**
 * Clients of the protocol accept JSON and event streams. A request without Accept, or with a range of all types, is
 * served too. A type with q=0 is not accepted.
 * @throws RpcError
 */
export function assertAcceptable(accept: string | undefined): void {
  if (accept === undefined || accept.trim() === '') return;
  const types = accept
    .split(',')
    .filter((item) => !zeroQuality.test(item))
    .map(typeOf);
  if (types.includes('*/*') || (types.includes(json) && types.includes(eventStream))) return;
  const message = `Not Acceptable: Client must accept both ${json} and ${eventStream}`;
  throw new RpcError(rpcCode.transport, message, 406);
}

/** @throws RpcError for a body of another type */
export function assertJson(contentType: string | undefined): void {
  if (contentType !== undefined && typeOf(contentType) === json) return;
  throw new RpcError(rpcCode.transport, `Unsupported Media Type: Content-Type must be ${json}`, 415);
}

/** A media type without parameters, in lower case. */
function typeOf(text: string): string {
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase();
}
