import type { LookupFunction } from 'node:net';
import { Agent, fetch as undiciFetch, type Dispatcher } from 'undici';
import { type AddressRules, publicLookup, DisallowedAddressError, assertAllowedUrl } from './addresses.js';
import { limitBody } from './limits.js';

const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 512 * 1024;

/** What callers of `fetch` use of it. Redirects fail unless `redirect` says otherwise. */
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
  /** For connecting, the headers and the body together. */
  timeoutMs?: number;
  /** Of the body, after decompression. */
  maxBytes?: number;
  /** Loopback addresses too, with any protocol and port. For tests; never given from configuration. */
  allowLoopback?: boolean;
  /** Finds the addresses of a name; the system's resolver if absent. What it finds is checked all the same. */
  lookup?: LookupFunction;
}

/**
 * Makes a `fetch` for addresses that users gave (design 8).
 * @returns a function that rejects with DisallowedAddressError where the request would leave the public network, with
 *   ResponseTooLargeError (also while the body is read) past the size limit, with a TimeoutError past the time limit,
 *   and with a TypeError, as fetch does, when the network fails.
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

/** Checks every request on its way out, so that the steps of a redirect pass the same gate as the first request. */
function guardedDispatcher(rules: AddressRules, lookup: LookupFunction | undefined): Dispatcher {
  const agent = new Agent({ connect: { lookup: publicLookup(rules, lookup) } });
  return agent.compose((dispatch) => (options, handler) => {
    assertAllowedUrl(new URL(String(options.origin)), rules);
    return dispatch(options, handler);
  });
}

/** A response of the platform's own class, which libraries test for, with a body that ends at the limit. */
function limited(response: Response, maxBytes: number): Response {
  const { status, statusText, headers, body } = response;
  return new Response(body && limitBody(body as ReadableStream<Uint8Array>, maxBytes), {
    status,
    statusText,
    headers: [...headers],
  });
}

/** fetch hides what a connection died of behind its own error. */
function findRefusedAddress(error: unknown): DisallowedAddressError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DisallowedAddressError) return cause;
  }
  return undefined;
}
