import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a fake site has received. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  bytes: Buffer;
}

/** Responds to a request. */
export type Handler = (request: ReceivedRequest, response: ServerResponse) => void;

/** A site of a spec: it serves the discovery documents and the handlers of the spec. */
export interface FakeSite {
  origin: string;
  /** Requests so far, as "POST /path". */
  calls: string[];
  /** Adds or replaces the handler of a request: "POST /path". */
  on(call: string, handler: Handler): void;
  close(): Promise<void>;
}

/** Starts a site on a free port. */
export async function openFakeSite(): Promise<FakeSite> {
  const handlers = new Map<string, Handler>();
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      calls.push(`${method} ${url}`);
      const handler = handlers.get(`${method} ${url}`);
      if (!handler) return sendError(response, 404, 'NOT_FOUND');
      const bytes = Buffer.concat(chunks);
      handler({ method, path: url, headers, body: bytes.toString(), bytes }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: FakeSite = {
    origin,
    calls,
    on: (call, handler) => void handlers.set(call, handler),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  serveDiscovery(site);
  return site;
}

/** Sends JSON. */
export function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Sends an error of the API. */
export function sendError(response: ServerResponse, status: number, code: string): void {
  sendJson(response, { success: false, error: { code, message: `the message of ${code}` } }, status);
}

function serveDiscovery({ origin, on }: FakeSite): void {
  const oauth = `${origin}/_cms/api/oauth`;
  on('GET /.well-known/oauth-protected-resource', (_, response) =>
    sendJson(response, { resource: `${origin}/_cms/api/mcp`, authorization_servers: [`${origin}/_cms`] }),
  );
  on('GET /.well-known/oauth-authorization-server/_cms', (_, response) =>
    sendJson(response, {
      issuer: `${origin}/_cms`,
      token_endpoint: `${oauth}/token`,
      device_authorization_endpoint: `${oauth}/device/code`,
      revocation_endpoint: `${oauth}/token/revoke`,
      registration_endpoint: `${oauth}/register`,
    }),
  );
  on('GET /_cms/.well-known/auth', (_, response) =>
    sendJson(response, { auth: { methods: { device_flow: { client_id: 'cms-cli' } } } }),
  );
  on('GET /_cms/api/auth/me', (_, response) =>
    sendJson(response, { data: { id: 'u1', email: 'ann@site.example', name: 'Ann', role: 50 } }),
  );
}
