import { parseUrl } from '@quire/values';
import type { GuardedFetch, GuardedRequest } from './guarded-fetch.js';

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const credentialHeaders = ['authorization', 'cookie', 'proxy-authorization'];

/** A request was redirected more often than the limit. */
export class TooManyRedirectsError extends Error {
  override readonly name = 'TooManyRedirectsError';
}

/**
 * Makes a guarded fetch follow redirects. Each step is a request of its own: its address is checked, and it has the
 * time limit of one request. Credentials in headers are not sent to another origin. After 301, 302 and 303 a request
 * that writes becomes a GET without a body.
 * @param options.maxRedirects number of redirects of one request
 * @returns a function that rejects as `fetch` does, and with TooManyRedirectsError. A redirect without a usable
 *   `Location` is returned as the response.
 */
export function followRedirects(
  fetch: GuardedFetch,
  { maxRedirects }: { maxRedirects: number },
): GuardedFetch {
  return async (address, request = {}) => {
    let url = new URL(address);
    let step: GuardedRequest = { ...request, redirect: 'manual' };
    for (let count = 0; ; count += 1) {
      const response = await fetch(url, step);
      const target = targetOf(response, url);
      if (target === undefined) return response;
      await response.body?.cancel();
      if (count === maxRedirects)
        throw new TooManyRedirectsError(`${url.host} redirects more than ${maxRedirects} times`);
      step = requestAfter(response.status, step, target.origin === url.origin);
      url = target;
    }
  };
}

function targetOf({ status, headers }: Response, base: URL): URL | undefined {
  const location = headers.get('location');
  return redirectStatuses.has(status) && location !== null ? parseUrl(location, base) : undefined;
}

function requestAfter(status: number, request: GuardedRequest, isSameOrigin: boolean): GuardedRequest {
  const headers = new Headers(request.headers);
  if (!isSameOrigin) credentialHeaders.forEach((name) => headers.delete(name));
  const { body: _, ...withoutBody } = request;
  const isRead = ['GET', 'HEAD'].includes(request.method ?? 'GET');
  if (status >= 307 || isRead) return { ...request, headers };
  ['content-type', 'content-length'].forEach((name) => headers.delete(name));
  return { ...withoutBody, headers, method: 'GET' };
}
