import type { LookupFunction } from 'node:net';
import { Agent, fetch as undiciFetch, type Dispatcher } from 'undici';
import { type AddressRules, publicLookup, DisallowedAddressError, assertAllowedUrl } from './addresses.js';
import { limitBody } from './limits.js';

const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 512 * 1024;

/** The used subset of `fetch` options. Redirects fail unless `redirect` allows them. */
export interface GuardedRequest {
  method?: string;
  headers?: Headers | Record<string, string>;
  body?: string | URLSearchParams | Uint8Array | null;
  redirect?: 'error' | 'follow' | 'manual';
  signal?: AbortSignal | null;
}

export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<Response>;

export interface GuardedFetchOptions {
  protocols?: AddressRules['protocols'];
  anyPort?: boolean;
  /** For connection, headers and body together. */
  timeoutMs?: number;
  /** Of the body, after decompression. */
  maxBytes?: number;
  /** Allows loopback addresses, with any protocol and port. For tests; never set from configuration. */
  allowLoopback?: boolean;
  /** Resolves a name; default: the system's resolver. Its results are checked too. */
  lookup?: LookupFunction;
}

/**
 * Creates a `fetch` for addresses that users provide (design 8).
 * @returns a function that rejects with DisallowedAddressError where the request would leave the public network, with
 *   ResponseTooLargeError (also while the body is read) past the size limit, with a TimeoutError past the time limit,
 *   and with a TypeError, as fetch does, when the network fails
 */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = options;
  const rules: AddressRules = {
    protocols: options.protocols ?? ['https:'],
    anyPort: options.anyPort ?? false,
    allowLoopback: options.allowLoopback ?? false,
  };
  const dispatcher = guardedDispatcher(rules, options.lookup);

  return async (url, request = {}) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    try {
      const response = await undiciFetch(url, { redirect: 'error', ...request, signal, dispatcher } as never);
      return limited(response as unknown as Response, maxBytes);
    } catch (error) {
      throw findRefusedAddress(error) ?? error;
    }
  };
}

/** Checks every outgoing request, including the steps of a redirect. */
function guardedDispatcher(rules: AddressRules, lookup: LookupFunction | undefined): Dispatcher {
  const agent = new Agent({ connect: { lookup: publicLookup(rules, lookup) } });
  return agent.compose((dispatch) => (options, handler) => {
    assertAllowedUrl(new URL(String(options.origin)), rules);
    return dispatch(options, handler);
  });
}

/** A response of the platform's class, which libraries test for, with a body that fails at the limit. */
function limited(response: Response, maxBytes: number): Response {
  const { status, statusText, headers, body } = response;
  return new Response(body && limitBody(body as ReadableStream<Uint8Array>, maxBytes), {
    status,
    statusText,
    headers: [...headers],
  });
}

/** fetch wraps the cause of a failed connection in its own error. */
function findRefusedAddress(error: unknown): DisallowedAddressError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DisallowedAddressError) return cause;
  }
  return undefined;
}
