import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Network } from '@quire/login-providers';
import type { AuthorizationServer, Misbehaviour } from './authorization-server.js';
import { dnsHost, fakeNetwork, plcHost } from './fake-network.js';

const serverOrigin = 'https://pds.test';
const issuer = 'https://auth.test';

export interface AccountInput {
  did: string;
  /** The handle whose web server names the DID; absent: none. */
  handle?: string;
  /** The handle that the DID claims; `handle` if absent, none if null. */
  claims?: string | null;
  /** Origin of the account's server. */
  server?: string;
}

/** A small AT Protocol network in this process: directory, handles, an account server and its authorization server. */
export class FakeAtproto {
  misbehaviour: Misbehaviour = {};
  private readonly pages = new Map<string, RequestListener>();
  private readonly names = new Map<string, string>();

  private constructor(
    readonly port: number,
    private readonly authorization: AuthorizationServer,
    readonly stop: () => Promise<void>,
  ) {}

  /** @param port the port to listen on; any free one if absent */
  static async start(port = 0): Promise<FakeAtproto> {
    // Imported only here: its server is larger than all other dependencies of the suites.
    const { authorizationServer } = await import('./authorization-server.js');
    const server = createServer((request, response) => void fake.respond(request, response));
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    const authorization = authorizationServer({
      issuer,
      readClient: (clientId) => fake.readClient(clientId),
      accountFor: (loginHint) => fake.names.get(loginHint),
      misbehaviour: () => fake.misbehaviour,
    });
    const fake: FakeAtproto = new FakeAtproto(
      (server.address() as AddressInfo).port,
      authorization,
      async () => {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      },
    );
    fake.serveServer(serverOrigin, issuer);
    return fake;
  }

  network(limits?: { timeoutMs?: number; maxBytes?: number }): Network {
    return fakeNetwork(this.port, limits);
  }

  /** Number of tokens that the authorization server has revoked. */
  revocations(): number {
    return this.authorization.revocations();
  }

  /** Serves a page at an address below `.test`: JSON, a text, or the response of a listener. */
  serve(url: string, page: object | string | RequestListener): void {
    this.pages.set(url, typeof page === 'function' ? (page as RequestListener) : answerWith(page));
  }

  remove(url: string): void {
    this.pages.delete(url);
  }

  /** Adds an account: its document, and the resolution of its handle. */
  addAccount({ did, handle, claims = handle ?? null, server = serverOrigin }: AccountInput): void {
    this.names.set(did, did);
    if (handle !== undefined) {
      this.names.set(handle, did);
      this.serve(`https://${handle}/.well-known/atproto-did`, did);
    }
    this.serve(documentAddress(did), {
      '@context': ['https://www.w3.org/ns/did/v1'],
      id: did,
      ...(claims === null ? {} : { alsoKnownAs: [`at://${claims}`] }),
      service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: server }],
    });
  }

  /** Adds TXT records to a name in DNS. */
  addTxt(name: string, ...texts: string[]): void {
    this.serve(
      `https://${dnsHost}/${name}`,
      texts.map((text) => [text.slice(0, 5), text.slice(5)]),
    );
  }

  /** Makes a server of accounts name its authorization servers. */
  serveServer(origin: string, ...issuers: string[]): void {
    this.serve(`${origin}/.well-known/oauth-protected-resource`, {
      resource: origin,
      authorization_servers: issuers,
    });
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = String(request.headers['x-forwarded-host']);
    const page = this.pages.get(`https://${host}${request.url}`);
    if (page) return page(request, response as never);
    if (host === new URL(issuer).host) return this.authorization.handle(request, response);
    response.writeHead(404).end();
  }

  private async readClient(clientId: string): Promise<Record<string, unknown> | undefined> {
    const { atprotoLoopbackClientMetadata, isOAuthClientIdLoopback } = await import('@atproto/oauth-types');
    if (isOAuthClientIdLoopback(clientId)) {
      // This server issues no refresh tokens.
      return { ...atprotoLoopbackClientMetadata(clientId), grant_types: ['authorization_code'] };
    }
    const response = await this.network().fetch(clientId);
    return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
  }
}

function documentAddress(did: string): string {
  return did.startsWith('did:web:')
    ? `https://${did.slice('did:web:'.length)}/.well-known/did.json`
    : `https://${plcHost}/${did}`;
}

function answerWith(page: object | string): RequestListener {
  const [type, text] =
    typeof page === 'string' ? ['text/plain', page] : ['application/json', JSON.stringify(page)];
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(text);
}
