import dns from 'node:dns';
import { assertAllowedUrl, DisallowedAddressError, publicLookup, type AddressRules } from './addresses.js';
import type { GuardedFetchOptions } from './guarded-fetch.js';

/** Checks a URL without a request; rejects with DisallowedAddressError. */
export type AddressCheck = (url: URL) => Promise<void>;

/**
 * Creates the check of `guardedFetch` for use before a request: protocol, port, and every address of the host. A name
 * that does not resolve within `timeoutMs` is rejected as well. `guardedFetch` checks again when it connects, because
 * a later DNS answer may differ.
 * @param options the options of the `guardedFetch` that sends the requests
 */
export function addressCheck({
  protocols = ['https:'],
  anyPort = false,
  allowLoopback = false,
  timeoutMs = 10_000,
  lookup = dns.lookup,
}: GuardedFetchOptions = {}): AddressCheck {
  const rules: AddressRules = { protocols, anyPort, allowLoopback };
  const publicOnly = publicLookup(rules, lookup);
  return async (url) => {
    assertAllowedUrl(url, rules);
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    await new Promise<void>((resolve, reject) => {
      const fail = (cause?: unknown) =>
        reject(new DisallowedAddressError(`${hostname} does not lead to a public address`, { cause }));
      const timer = setTimeout(fail, timeoutMs);
      publicOnly(hostname, { all: true }, (error) => {
        clearTimeout(timer);
        if (error) fail(error);
        else resolve();
      });
    });
  };
}
