import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openFakeSite, sendJson, type FakeSite } from '../fake-site.fixture.js';
import { ConnectionError, HttpClient } from './http-client.js';

const origin = 'https://cms.example';

let proxy: Server;
let proxyUrl: string;
let site: FakeSite;
/** Tunnels that the proxy was asked for, and the credentials that it got. */
let tunnels: { target: string | undefined; credentials: string | undefined }[];
let client: HttpClient | undefined;

/** Connects every tunnel to the fake site, which has no TLS: the handshake of a client fails there. */
function tunnel({ url, headers }: IncomingMessage, socket: Socket): void {
  tunnels.push({ target: url, credentials: headers['proxy-authorization'] });
  const upstream = connect(Number(new URL(site.origin).port), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('error', () => upstream.destroy());
}

beforeEach(async () => {
  tunnels = [];
  site = await openFakeSite();
  proxy = createServer().on('connect', tunnel);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await client?.close();
  await site.close();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

function send(url: string, httpsProxy: string, noProxy?: string) {
  client = new HttpClient({ httpsProxy, noProxy });
  return client.send(url);
}

describe('HttpClient with a proxy', () => {
  it('opens a tunnel to the site, and demands TLS in it', async () => {
    await expect(send(origin, proxyUrl)).rejects.toThrow(ConnectionError);
    expect(tunnels).toEqual([{ target: 'cms.example:443', credentials: undefined }]);
    expect(site.calls).toEqual([]);
  });

  it('takes an address without a scheme, and sends the credentials in it', async () => {
    await expect(send(origin, proxyUrl.replace('http://', 'ann:s%20t@'))).rejects.toThrow(ConnectionError);
    const credentials = `Basic ${Buffer.from('ann:s t').toString('base64')}`;
    expect(tunnels).toEqual([{ target: 'cms.example:443', credentials }]);
  });

  it('sends nothing for this computer through it', async () => {
    site.on('GET /local', (_, response) => sendJson(response, {}));
    const { port } = new URL(site.origin);
    for (const host of ['127.0.0.1', 'localhost', 'site.localhost'])
      expect((await send(`http://${host}:${port}/local`, proxyUrl)).statusCode).toBe(200);
    expect(tunnels).toEqual([]);
  });

  it.each(['0.0.0.0', 'cms.example 0.0.0.0', '*'])(
    'sends nothing through it to a host of NO_PROXY %s',
    async (noProxy) => {
      // An address of this computer that no rule for this computer names: the spec needs no name server.
      const { port } = new URL(site.origin);
      await expect(send(`https://0.0.0.0:${port}`, proxyUrl, noProxy)).rejects.toThrow(ConnectionError);
      expect(tunnels).toEqual([]);
    },
  );

  it.each(['ftp://proxy.example', 'http://', 'socks5://ann:secret@proxy.example'])(
    'rejects the proxy %s, without a password in the message',
    async (httpsProxy) => {
      await expect(send(origin, httpsProxy)).rejects.toThrow(
        /^HTTPS_PROXY is not the address of a proxy for http, such as http:\/\/proxy\.example:3128$/,
      );
    },
  );
});
