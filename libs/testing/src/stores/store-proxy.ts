import { parseRedisUrl } from '@quire/values';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** A proxy in front of a real store of one or more servers, which a test can disconnect or stall as a whole. */
export type StoreProxy = Omit<TcpProxy, 'redirect'>;

/** A port in an answer of a node: of MOVED, and of CLUSTER SLOTS. */
const portInAnswer = /:(\d{5})\r\n/g;

/**
 * Starts a proxy for the store at an address.
 * @param storeUrl names all primaries, if it is that of a Redis Cluster
 */
export async function createStoreProxy(storeUrl: string): Promise<StoreProxy> {
  const address = parseRedisUrl(storeUrl);
  if (address?.servers !== 'cluster') return createTcpProxy(storeUrl);
  // The nodes tell clients their ports; those behind the proxies learn the ports of the proxies.
  const proxyPorts = new Map<string, string>();
  const translate = (answer: Buffer) =>
    Buffer.from(
      answer
        .toString('latin1')
        .replace(portInAnswer, (_, port: string) => `:${proxyPorts.get(port) ?? port}\r\n`),
      'latin1',
    );
  const proxies: TcpProxy[] = [];
  for (const { host, port } of address.hosts) {
    const proxy = await createTcpProxy(`redis://${host}:${port}`, translate);
    proxyPorts.set(String(port), new URL(proxy.url).port);
    proxies.push(proxy);
  }
  const forEach = async (change: (proxy: TcpProxy) => Promise<void>) => {
    await Promise.all(proxies.map(change));
  };
  return {
    url: `redis+cluster://${proxies.map(({ url }) => new URL(url).host).join(',')}`,
    disconnect: () => forEach((proxy) => proxy.disconnect()),
    stall() {
      for (const proxy of proxies) proxy.stall();
    },
    restore: () => forEach((proxy) => proxy.restore()),
  };
}
