import type { Network } from '@quire/login-providers';

const maxRedirects = 10;

/** Follows the redirects of a login with cookies until one leads to `callback`. @returns that address */
export async function completeLogin({ fetch }: Network, start: string | URL, callback: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(start);
  for (let step = 0; step < maxRedirects; step += 1) {
    if (at.href.startsWith(callback)) return at;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`${at.href} answers ${response.status}: ${await response.text()}`);
    at = new URL(location, at);
  }
  throw new Error(`after ${maxRedirects} steps the browser is still at ${at.href}`);
}
