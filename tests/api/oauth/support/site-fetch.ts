import type { Site } from '@quire/testing';
import { request } from 'undici';

/**
 * A fetch for programs that know a site by its address: it is chosen by the Host header, the system under test listens
 * elsewhere.
 */
export function siteFetch(site: Site): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search, host } = new URL(String(input));
    const answer = await request(`${site.system.origin}${pathname}${search}`, {
      method: (init.method ?? 'GET') as 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers).entries()), host },
      body: init.body === undefined || init.body === null ? null : String(init.body as string),
    });
    const given = Object.entries(answer.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    return new Response(await answer.body.text(), { status: answer.statusCode, headers: given });
  };
}
