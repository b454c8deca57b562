import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

interface SigningKey {
  kid: string;
  algorithm: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** Differences of an assertion from a valid one. */
export interface AssertionChanges {
  /** Claims that replace the default ones; undefined leaves one out. */
  claims?: Record<string, unknown>;
  key?: SigningKey;
  kid?: string;
}

const lifetimeSeconds = 3_600;

/** An access team in this process: publishes its keys over HTTP and signs assertions as an edge access proxy does. */
export class FakeAccessProvider {
  readonly audience = `audience-${randomUUID()}`;
  /** Number of requests for the keys. */
  keyFetches = 0;
  /** The response to requests: success, failure, or none. */
  responseMode: 'answering' | 'failing' | 'silent' = 'answering';
  /** Responses of the team's identity endpoint, by e-mail address; without one it is 404. */
  readonly identities = new Map<string, object>();
  private published: SigningKey[] = [];
  private readonly waiting = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    /** Origin of the team. */
    readonly origin: string,
  ) {}

  static async open(): Promise<FakeAccessProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const team = new FakeAccessProvider(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const cookie = request.headers.cookie ?? '';
      void team.respond(request.url ?? '', cookie, response).catch(() => response.destroy());
    });
    await team.rotate();
    return team;
  }

  /** A key that the team has not published. */
  static async createKey(algorithm = 'RS256'): Promise<SigningKey> {
    return { kid: randomUUID(), algorithm, ...(await generateKeyPair(algorithm, { extractable: true })) };
  }

  /** The signing key. */
  get key(): SigningKey {
    const [key] = this.published;
    if (!key) throw new Error('The team has no key');
    return key;
  }

  /** Signs with a new key from now on. The previous one remains published until the next rotation. */
  async rotate(algorithm?: string): Promise<void> {
    this.published = [await FakeAccessProvider.createKey(algorithm), ...this.published.slice(0, 1)];
  }

  /** A valid assertion with the changes. Each has another text. */
  assert(
    email: string,
    { claims = {}, key = this.key, kid = key.kid }: AssertionChanges = {},
  ): Promise<string> {
    return new SignJWT(this.claims(email, claims))
      .setProtectedHeader({ alg: key.algorithm, kid, typ: 'JWT' })
      .sign(key.privateKey);
  }

  /** The claims of an assertion. */
  claims(email: string, changes: Record<string, unknown> = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: this.origin,
      aud: [this.audience],
      sub: email,
      email,
      iat: now,
      nbf: now,
      exp: now + lifetimeSeconds,
      jti: randomUUID(),
      ...changes,
    };
  }

  async close(): Promise<void> {
    for (const response of this.waiting) response.destroy();
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async respond(path: string, cookie: string, response: ServerResponse): Promise<void> {
    if (path === '/cdn-cgi/access/certs') this.keyFetches += 1;
    if (this.responseMode === 'silent') {
      this.waiting.add(response);
      response.once('close', () => this.waiting.delete(response));
      return;
    }
    const found =
      this.responseMode === 'answering' ? await this.find(path, cookie) : { status: 500, body: {} };
    response.writeHead(found.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found.body));
  }

  private async find(path: string, cookie: string): Promise<{ status: number; body: object }> {
    if (path === '/cdn-cgi/access/certs') {
      const keys = this.published.map(async ({ kid, algorithm, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: algorithm,
        use: 'sig',
      }));
      return { status: 200, body: { keys: await Promise.all(keys) } };
    }
    const [, payload] = /^Edge_Authorization=[^.]+\.([^.]+)\./.exec(cookie) ?? [];
    const { email } = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString() || '{}') as JWTPayload;
    const identity = path === '/cdn-cgi/access/get-identity' ? this.identities.get(String(email)) : undefined;
    return identity ? { status: 200, body: identity } : { status: 404, body: {} };
  }
}
