import {
  ApiError,
  networkErrorCode,
  redirectedCode,
  retryAfterMsOf,
  unexpectedResponseCode,
} from './api-error.js';
import { addresses } from './generated/operations.js';
import { isRawBody } from './raw-body.js';
import type { CallArguments, CallOptions, Conditional, DataOf, OperationId } from './operation-types.js';

export interface ApiClientOptions {
  /** Origin of the site, such as `https://site.example`; by default paths are relative to the current page. */
  origin?: string;
  /** Personal or application token. Without one, browsers send the session cookie. */
  token?: string;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch;
}

/** A client of one site. */
export interface ApiClient {
  /**
   * Calls an operation.
   * @returns `data` of the response
   * @throws ApiError; the reason of an aborted signal
   */
  call<Id extends OperationId>(id: Id, ...input: CallArguments<Id>): Promise<DataOf<Id>>;
  /**
   * Calls an operation whose response has an ETag.
   * @param previous an earlier response: its data is returned when it is still current
   * @throws as `call`
   */
  read<Id extends OperationId>(
    id: Id,
    previous: Conditional<DataOf<Id>> | undefined,
    ...input: CallArguments<Id>
  ): Promise<Conditional<DataOf<Id>>>;
}

interface Input extends CallOptions {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

interface Envelope {
  data?: unknown;
  error?: { code: string; message: string; details?: Record<string, unknown> };
}

/** Creates a client of the API. */
export function createApiClient({
  origin = '',
  token,
  fetch: send = fetch,
}: ApiClientOptions = {}): ApiClient {
  async function request(id: OperationId, input: Input, etag?: string): Promise<Response> {
    const [method = '', path = ''] = addresses[id].split(' ');
    const { params = {}, query = {}, body, signal, keepalive, idempotencyKey } = input;
    const isJson = body !== undefined && !isRawBody(body);
    const headers = new Headers({
      // Required of writes with a session cookie.
      'X-CMS-Request': '1',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...(etag !== undefined && { 'If-None-Match': etag }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    });
    const url = `${origin}${pathWith(path, params)}${queryOf(query)}`;
    try {
      return await send(url, {
        method,
        headers,
        // A proxy in front of the site redirects signed-out users to another origin.
        redirect: 'manual',
        ...(body !== undefined && { body: isRawBody(body) ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
        ...(keepalive !== undefined && { keepalive }),
      });
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new ApiError({ status: 0, code: networkErrorCode, message: 'The site does not respond', cause });
    }
  }

  return {
    async call<Id extends OperationId>(id: Id, ...[input = {} as never]: CallArguments<Id>) {
      return (await dataOf(await request(id, input))) as DataOf<Id>;
    },
    async read<Id extends OperationId>(
      id: Id,
      previous: Conditional<DataOf<Id>> | undefined,
      ...[input = {} as never]: CallArguments<Id>
    ) {
      const response = await request(id, input, previous?.etag);
      if (response.status === 304 && previous) return previous;
      const data = (await dataOf(response)) as DataOf<Id>;
      return { data, etag: response.headers.get('etag') ?? undefined };
    },
  };
}

function pathWith(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`The path parameter ${name} is missing`);
    // The rest of a path keeps its slashes.
    return String(value)
      .split('/')
      .map(encodeURIComponent)
      .join(name === 'path' ? '/' : '%2F');
  });
}

/** The query; undefined values are left out, and lists are joined with commas. */
function queryOf(query: Record<string, unknown>): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    present.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

async function dataOf(response: Response): Promise<unknown> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw new ApiError({ status, code: redirectedCode, message: 'The site redirects to a sign-in page' });
  const envelope = await envelopeOf(response);
  if (response.ok && envelope) return envelope.data;
  const retryAfterMs = retryAfterMsOf(headers.get('retry-after'), Date.now());
  const facts = { status, requestId: headers.get('x-request-id') ?? undefined, retryAfterMs };
  if (envelope?.error) throw new ApiError({ ...facts, ...envelope.error });
  throw new ApiError({
    ...facts,
    code: unexpectedResponseCode,
    message: `The site responded with status ${status} and without an API response`,
  });
}

/** @returns undefined for a response that is not from the API. */
async function envelopeOf(response: Response): Promise<Envelope | undefined> {
  const envelope: unknown = await response.json().catch(() => undefined);
  return typeof envelope === 'object' && envelope !== null && 'success' in envelope
    ? (envelope as Envelope)
    : undefined;
}
