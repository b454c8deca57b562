import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const client = { clientId: '77', clientSecret: 'a client secret' };
export const siteUrl = 'https://ann.wordpress.com';
const apiOrigin = 'https://public-api.wordpress.com';
const blogId = 4711;

/** A fake of the hosted edition: its authorization server, and the API of one site with two posts. */
export class HostedEdition {
  /** Replaces the response of the token endpoint. */
  tokenResponse: ((response: ServerResponse) => void) | undefined;
  /** The access tokens that it issued. */
  readonly accessTokens: string[] = [];
  /** The paths of all requests. */
  readonly requested: string[] = [];
  private readonly codes = new Map<string, { challenge: string | null; redirectUri: string }>();
  private readonly server = createServer((request, response) => void this.handle(request, response));

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** The address of this server for one of the hosted edition. */
  addressOf(url: string | URL): string {
    const { origin, pathname, search } = new URL(url);
    if (origin !== apiOrigin) throw new Error(`unexpected request to ${origin}`);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${pathname}${search}`;
  }

  /** A user's browser at the authorization endpoint. @returns the address that it is redirected to */
  async authorize(address: string, answer: 'allow' | 'deny' = 'allow'): Promise<URL> {
    const url = new URL(address);
    url.searchParams.set('answer', answer);
    const response = await fetch(this.addressOf(url), { redirect: 'manual' });
    return new URL(response.headers.get('location') ?? '');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', apiOrigin);
    this.requested.push(pathname);
    if (pathname === '/oauth2/authorize') return this.sendBack(searchParams, response);
    if (pathname === '/oauth2/token' && this.tokenResponse) return this.tokenResponse(response);
    if (pathname === '/oauth2/token') return this.issueToken(await text(request), response);
    if (pathname.startsWith('/rest/v1.1/sites/')) return json(response, { name: 'Ann', URL: siteUrl });
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (!this.accessTokens.includes(token)) return json(response, {}, 401);
    const list = lists[pathname.replace(`/wp/v2/sites/${blogId}/`, '')];
    json(response, list ?? {}, list ? 200 : 404);
  }

  private sendBack(query: URLSearchParams, response: ServerResponse): void {
    const location = new URL(query.get('redirect_uri') ?? '');
    const isValid =
      query.get('client_id') === client.clientId &&
      query.get('response_type') === 'code' &&
      query.get('blog') === new URL(siteUrl).hostname;
    location.searchParams.set('state', query.get('state') ?? '');
    if (!isValid) location.searchParams.set('error', 'invalid_request');
    else if (query.get('answer') === 'deny') location.searchParams.set('error', 'access_denied');
    else {
      const code = randomBytes(10).toString('hex');
      const redirectUri = query.get('redirect_uri') ?? '';
      this.codes.set(code, { challenge: query.get('code_challenge'), redirectUri });
      location.searchParams.set('code', code);
    }
    response.writeHead(302, { location: location.href }).end();
  }

  private issueToken(body: string, response: ServerResponse): void {
    const form = new URLSearchParams(body);
    const granted = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const isValid =
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === client.clientId &&
      form.get('client_secret') === client.clientSecret &&
      form.get('redirect_uri') === granted?.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === granted?.challenge;
    if (!isValid) return json(response, { error: 'invalid_grant' }, 400);
    const accessToken = `token!${randomBytes(10).toString('hex')}`;
    this.accessTokens.push(accessToken);
    json(response, {
      access_token: accessToken,
      token_type: 'bearer',
      blog_id: String(blogId),
      blog_url: siteUrl,
      scope: '',
    });
  }
}

const post = (id: number, status: string) => ({
  id,
  type: 'post',
  status,
  slug: `post-${id}`,
  title: { raw: `Post ${id}` },
  content: { raw: '<!-- wp:paragraph --><p>Hello</p><!-- /wp:paragraph -->' },
  date_gmt: '2024-06-01T10:00:00',
  modified_gmt: '2024-06-02T10:00:00',
});
const lists: Record<string, unknown> = {
  types: { post: { slug: 'post', rest_base: 'posts' } },
  posts: [post(1, 'publish'), post(2, 'draft')],
  media: [],
  categories: [],
  tags: [],
};

function json(response: ServerResponse, value: unknown, status = 200): void {
  const total = Array.isArray(value) ? { 'x-wp-total': String(value.length) } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...total }).end(JSON.stringify(value));
}
