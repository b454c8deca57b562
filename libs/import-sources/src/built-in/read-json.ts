import type { GuardedFetch } from '@quire/outgoing-http';

const headers = { accept: 'application/json', 'user-agent': 'Quire-Import' };

/** Network access and its limit for one request. */
export interface LimitedFetch {
  fetch: GuardedFetch;
  timeoutMs: number;
}

/** Requests an address with a time limit for the whole response. Rejects as the fetch does. */
export function get({ fetch, timeoutMs }: LimitedFetch, url: string): Promise<Response> {
  return fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
}

/** Reads a JSON document; undefined when it cannot be read, its status is not 200, or it is not JSON. */
export async function readJson(
  access: LimitedFetch,
  url: string,
): Promise<{ value: unknown; headers: Headers } | undefined> {
  try {
    const response = await get(access, url);
    if (response.status === 200) return { value: await response.json(), headers: response.headers };
    await response.body?.cancel();
  } catch {
    // The site is not reachable, or responds with something else: no finding.
  }
  return undefined;
}
