import type { Network } from '@quire/login-providers';
import { guardedFetch } from '@quire/outgoing-http';

/** Names outside the fake network, and their addresses. */
const outside: Record<string, string> = { 'inside.dev': '10.0.0.1', 'loop.dev': '127.0.0.1' };

export const plcHost = 'plc.test';
export const dnsHost = 'dns.test';

/**
 * The network of a login: hosts below `.test` are on the fake's port, over real sockets; for all others the address
 * checks of the product apply. It needs only the port, so another process may open it too.
 */
export function fakeNetwork(port: number, limits: { timeoutMs?: number; maxBytes?: number } = {}): Network {
  const toFake = guardedFetch({ ...limits, allowLoopback: true });
  const guarded = guardedFetch({
    ...limits,
    lookup: (hostname, _, callback) => {
      const address = outside[hostname];
      if (address) callback(null, [{ address, family: 4 }]);
      else callback(Object.assign(new Error(`no ${hostname}`), { code: 'ENOTFOUND' }), []);
    },
  });
  const fetch: Network['fetch'] = (url, request = {}) => {
    const { host, pathname, search, protocol } = new URL(url);
    if (!host.endsWith('.test') || protocol !== 'https:') return guarded(url, request);
    const headers = new Headers(request.headers);
    headers.set('x-forwarded-host', host);
    headers.set('x-forwarded-proto', 'https');
    return toFake(`http://127.0.0.1:${port}${pathname}${search}`, { ...request, headers });
  };
  return {
    fetch,
    plcDirectory: `https://${plcHost}`,
    async resolveTxt(name) {
      const response = await fetch(`https://${dnsHost}/${name}`);
      return (await response.json()) as string[][];
    },
  };
}
