import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Site } from '@quire/testing';

export interface AuthorizationProxy {
  /** Address of the MCP server through the proxy. */
  url: string;
  close(): Promise<void>;
}

/**
 * Forwards requests of localhost to a site of the system under test. Other hosts are forwarded unchanged.
 * @param token added to requests, for programs that cannot send one
 */
export async function openAuthorizationProxy(site: Site, token?: string): Promise<AuthorizationProxy> {
  const target = new URL(site.system.origin);
  const server = createServer((incoming, response) => {
    const { host = '' } = incoming.headers;
    const headers = {
      ...incoming.headers,
      host: host.startsWith('localhost:') ? site.host : host,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const { method, url: path } = incoming;
    const outgoing = forward(
      { host: target.hostname, port: target.port, method, path, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/_cms/api/mcp`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
