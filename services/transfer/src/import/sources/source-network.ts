import {
  addressCheck,
  DisallowedAddressError,
  followRedirects,
  guardedFetch,
  type AddressCheck,
  type GuardedFetch,
  type GuardedFetchOptions,
} from '@quire/outgoing-http';
import { QuireError } from '@quire/errors';

const maxRedirects = 5;
const mebibyte = 1024 * 1024;

/** Access to the sites that users import from. */
export interface SourceNetwork {
  /** For probes: short documents. */
  probeFetch: GuardedFetch;
  /** For the content of a source. */
  contentFetch: GuardedFetch;
  /** For token endpoints: follows no redirects, which would receive the client secret. */
  tokenFetch: GuardedFetch;
  check: AddressCheck;
}

/**
 * The public network by http and https, on any port. Every redirect is checked like the first request (sheet
 * import-and-fields, 1.1).
 * @param options changes for tests
 */
export function createSourceNetwork(options: GuardedFetchOptions = {}): SourceNetwork {
  const open: GuardedFetchOptions = { protocols: ['http:', 'https:'], anyPort: true, ...options };
  const withRedirects = (limits: GuardedFetchOptions) =>
    followRedirects(guardedFetch({ ...limits, ...open }), { maxRedirects });
  return {
    probeFetch: withRedirects({ timeoutMs: 10_000, maxBytes: 8 * mebibyte }),
    contentFetch: withRedirects({ timeoutMs: 300_000, maxBytes: 512 * mebibyte }),
    tokenFetch: guardedFetch({ timeoutMs: 10_000, ...options }),
    check: addressCheck({ timeoutMs: 10_000, ...open }),
  };
}

/** @throws QuireError SSRF_BLOCKED unless every address of the host is public */
export async function assertPublicAddress({ check }: SourceNetwork, url: string): Promise<void> {
  try {
    await check(new URL(url));
  } catch (cause) {
    if (!(cause instanceof DisallowedAddressError)) throw cause;
    throw new QuireError('SSRF_BLOCKED', 'The address is not public, or its name does not resolve', {
      cause,
    });
  }
}

/** The same fetch, which also rejects when the signal is aborted. */
export function withSignal(fetch: GuardedFetch, signal: AbortSignal): GuardedFetch {
  return (url, request = {}) =>
    fetch(url, {
      ...request,
      signal: request.signal ? AbortSignal.any([request.signal, signal]) : signal,
    });
}
