import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { request as send } from 'undici';
import { assertMatchesOpenApi } from '../openapi/assert-matches-openapi.js';
import type { TestSystem } from './test-system.js';

/** A response of the API. `data` and `error` are the parts of the envelope. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  /** Each cookie that it sets, with its attributes. */
  setCookies: string[];
  body: unknown;
  /** The body as it was received. */
  text: string;
  // Tests read responses freely; their expectations are the type check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
  error: { code: string; message: string; details?: Record<string, unknown> };
}

export interface RequestOptions {
  headers?: Record<string, string | undefined>;
  /** Sent unchanged, instead of a JSON body; a stream is sent without Content-Length. */
  rawBody?: string | Uint8Array | Readable;
}

export type Client = ReturnType<typeof createClient>;

const apiPrefix = '/_cms/api';

/**
 * A client of the API as one actor of one site. Every response is checked against the OpenAPI document. Each actor and
 * each anonymous request has its own client address, so that no rate limit is reached by accident.
 */
export function createClient(
  system: Pick<TestSystem, 'origin'>,
  site: { host: string },
  { token, session }: { token?: string; session?: string } = {},
) {
  const ownAddress = randomIpAddress();
  const hasCredential = token !== undefined || session !== undefined;
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<ApiResponse> => {
    const headers = new Headers();
    if (options.headers?.['x-forwarded-for'] === undefined)
      headers.set('x-real-ip', hasCredential ? ownAddress : randomIpAddress());
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (session !== undefined) {
      headers.set('cookie', `cms_session=${session}`);
      headers.set('x-cms-request', '1');
    }
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
    }
    const url = /^\/(_cms|\.well-known)(\/|$)/.test(path) ? path : apiPrefix + path;
    const response = await request(
      system,
      site.host,
      method,
      url,
      headers,
      options.rawBody ?? (body === undefined ? undefined : JSON.stringify(body)),
    );
    await assertMatchesOpenApi(system, site.host, { method, path: url, ...response });
    return response;
  };
  return {
    head: (path: string, options?: RequestOptions) => call('HEAD', path, undefined, options),
    get: (path: string, options?: RequestOptions) => call('GET', path, undefined, options),
    post: (path: string, body?: unknown, options?: RequestOptions) => call('POST', path, body, options),
    put: (path: string, body?: unknown, options?: RequestOptions) => call('PUT', path, body, options),
    patch: (path: string, body?: unknown, options?: RequestOptions) => call('PATCH', path, body, options),
    delete: (path: string, body?: unknown, options?: RequestOptions) => call('DELETE', path, body, options),
    options: (path: string, options?: RequestOptions) => call('OPTIONS', path, undefined, options),
    token,
    session,
  };
}

/** An address of the block that no network has (RFC 4193). */
function randomIpAddress(): string {
  const groups = randomBytes(14).toString('hex').match(/.{4}/g) ?? [];
  return `fd00:${groups.join(':')}`;
}

async function request(
  system: Pick<TestSystem, 'origin'>,
  host: string,
  method: string,
  path: string,
  headers: Headers,
  body: RequestOptions['rawBody'],
): Promise<ApiResponse> {
  const sent: Record<string, string> = {};
  headers.forEach((value, name) => (sent[name] = value));
  // The Host header selects the site, and fetch() does not allow setting it.
  const response = await send(system.origin + path, {
    method: method as 'GET',
    headers: { host, ...sent },
    body: body ?? null,
  });
  const text = await response.body.text();
  const received = new Headers();
  for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value));
  const parsed = parse(text) as { data?: unknown; error?: ApiResponse['error'] };
  return {
    status: response.statusCode,
    headers: received,
    setCookies: [response.headers['set-cookie'] ?? []].flat(),
    body: parsed,
    text,
    data: parsed?.data,
    error: parsed?.error ?? { code: '', message: '' },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
