import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createCollection,
  createEntry,
  issuePaths,
  statusAndCode,
  type Client,
} from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
let verifier: Server;
let admin: Client;
let guest: Client;
let path: string;
let count = 0;
/** Requests to the verifier, and its behaviour. */
let verifierRequests: Record<string, string>[];
let respond: (response: ServerResponse) => void;

const respondWith = (verdict: object) => (response: ServerResponse) =>
  void response.end(JSON.stringify(verdict));

beforeAll(async () => {
  verifier = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      verifierRequests.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())));
      respond(response);
    });
  }).listen(0, '127.0.0.1');
  await once(verifier, 'listening');
  const { port } = verifier.address() as AddressInfo;
  const environment = {
    CMS_TURNSTILE_SECRET: 'the secret',
    CMS_TURNSTILE_URL: `http://127.0.0.1:${port}/verify`,
    CMS_TRUSTED_PROXY_HEADERS: ['x-real-ip'],
  };
  const origin = await testEnvironment.start({ environment });
  const site = await testEnvironment.newSite();
  admin = await testEnvironment.client(origin, site, 'admin');
  guest = createClient({ origin }, { host: site.host });
  await createCollection(admin, { slug: 'posts' });
  await admin.put('/schema/collections/posts', { commentsEnabled: true });
  const entry = await createEntry(admin);
  await entry.publish();
  path = `/comments/posts/${entry.id}`;
});
beforeEach(() => {
  verifierRequests = [];
  respond = respondWith({ success: true });
});
afterAll(async () => {
  verifier.closeAllConnections();
  verifier.close();
});

/** Sends a comment from a new client address. */
const submit = (input: object = {}, client = guest, address = `10.1.0.${(count += 1)}`) => {
  const body = { authorName: 'Ann', authorEmail: 'ann@guests.example', body: 'Hi', ...input };
  return client.post(path, body, { headers: { 'x-real-ip': address } });
};
const stored = async () => (await admin.get('/admin/comments/counts')).data;
const rejected = [403, 'TURNSTILE_FAILED'];

describe('POST /comments/{collection}/{contentId} with a captcha (contract 16)', () => {
  it('stores a comment when the verifier accepts the token', async () => {
    expect((await submit({ turnstileToken: 'solved' }, guest, '10.2.0.1')).status).toBe(201);
    expect(verifierRequests).toEqual([{ secret: 'the secret', response: 'solved', remoteip: '10.2.0.1' }]);
  });

  it('returns TURNSTILE_FAILED and stores nothing for a rejected or missing token', async () => {
    const before = await stored();
    for (const turnstileToken of [undefined, ''])
      expect(statusAndCode(await submit({ turnstileToken }))).toEqual(rejected);
    expect(verifierRequests).toEqual([]);
    respond = respondWith({ success: false, 'error-codes': ['timeout-or-duplicate'] });
    expect(statusAndCode(await submit({ turnstileToken: 'used' }))).toEqual(rejected);
    expect(await stored()).toEqual(before);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['closes the connection', (response) => void response.destroy()],
    ['does not respond', () => undefined],
    ['returns 502', (response) => void response.writeHead(502).end('<html>Bad gateway</html>')],
    ['redirects', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end()],
    ['reports an internal error', respondWith({ success: false, 'error-codes': ['internal-error'] })],
    ['rejects the secret', respondWith({ success: false, 'error-codes': ['invalid-input-secret'] })],
  ])('returns SERVICE_UNAVAILABLE and stores nothing when the verifier %s', async (_, behaviour) => {
    const before = await stored();
    respond = behaviour;
    expect(statusAndCode(await submit({ turnstileToken: 'solved' }))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await stored()).toEqual(before);
  });

  it('requires no captcha of a user', async () => {
    expect((await submit({}, admin)).status).toBe(201);
    expect(verifierRequests).toEqual([]);
  });
});

describe('order of checks of comments (contract 16)', () => {
  it('checks the captcha before the parent', async () => {
    const reply = { parentId: 'unknown', turnstileToken: 'x' };
    const response = await submit(reply);
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['parentId'],
    ]);
    respond = respondWith({ success: false });
    expect(statusAndCode(await submit(reply))).toEqual(rejected);
  });

  it('checks the captcha after the rate limit and the honeypot field', async () => {
    expect((await submit({ website_url: 'https://x.example' })).status).toBe(200);
    const send = () => submit({}, guest, '10.3.0.1');
    for (let sent = 0; sent < 5; sent += 1) expect(statusAndCode(await send())).toEqual(rejected);
    expect(statusAndCode(await send())).toEqual([429, 'RATE_LIMITED']);
  });
});
