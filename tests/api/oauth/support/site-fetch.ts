import type { Site } from '@quire/testing';
import { request } from 'undici';

/** A fetch for libraries that use the site's address: sends requests to the system under test with the Host header. */
export function siteFetch(site: Site): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search, host } = new URL(String(input));
    const response = await request(`${site.system.origin}${pathname}${search}`, {
      method: (init.method ?? 'GET') as 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers).entries()), host },
      body: init.body === undefined || init.body === null ? null : String(init.body as string),
    });
    const headers = Object.entries(response.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    return new Response(await response.body.text(), { status: response.statusCode, headers });
  };
}
