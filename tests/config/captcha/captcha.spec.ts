import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createClient,
  issuePaths,
  createCollection,
  createEntry,
  statusAndCode,
  type Client,
} from '@quire/testing';
import { ConfigTestEnvironment } from '../support/config-test-environment.js';

let testEnvironment: ConfigTestEnvironment;
let verifier: Server;
let admin: Client;
let guest: Client;
let path: string;
let count = 0;
/** What the verifier was asked, and what it answers. */
let asked: Record<string, string>[];
let answer: (response: ServerResponse) => void;

const says = (verdict: object) => (response: ServerResponse) => void response.end(JSON.stringify(verdict));

beforeAll(async () => {
  verifier = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      asked.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())));
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(verifier, 'listening');
  const { port } = verifier.address() as AddressInfo;
  testEnvironment = await ConfigTestEnvironment.open();
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
}, 60_000);
beforeEach(() => {
  asked = [];
  answer = says({ success: true });
});
afterAll(async () => {
  await testEnvironment.close();
  verifier.closeAllConnections();
  verifier.close();
});

/** Sends a comment from an address of its own. */
const submit = (more: object = {}, client = guest, address = `10.1.0.${(count += 1)}`) => {
  const body = { authorName: 'Ann', authorEmail: 'ann@guests.example', body: 'Hi', ...more };
  return client.post(path, body, { headers: { 'x-real-ip': address } });
};
const stored = async () => (await admin.get('/admin/comments/counts')).data;
const refused = [403, 'TURNSTILE_FAILED'];

describe('a comment where a captcha is asked for (contract 16)', () => {
  it('is taken when the verifier knows the token, which it is asked by a form', async () => {
    expect((await submit({ turnstileToken: 'solved' }, guest, '10.2.0.1')).status).toBe(201);
    expect(asked).toEqual([{ secret: 'the secret', response: 'solved', remoteip: '10.2.0.1' }]);
  });

  it('is refused and not stored when it does not, or without a token', async () => {
    const before = await stored();
    for (const turnstileToken of [undefined, ''])
      expect(statusAndCode(await submit({ turnstileToken }))).toEqual(refused);
    expect(asked).toEqual([]);
    answer = says({ success: false, 'error-codes': ['timeout-or-duplicate'] });
    expect(statusAndCode(await submit({ turnstileToken: 'used' }))).toEqual(refused);
    expect(await stored()).toEqual(before);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is gone', (response) => void response.destroy()],
    ['never answers', () => undefined],
    ['answers something else', (response) => void response.writeHead(502).end('<html>Bad gateway</html>')],
    ['leads elsewhere', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end()],
    ['is out of order', says({ success: false, 'error-codes': ['internal-error'] })],
    ['does not know our secret', says({ success: false, 'error-codes': ['invalid-input-secret'] })],
  ])('is put off and not stored when the verifier %s', async (_, behaviour) => {
    const before = await stored();
    answer = behaviour;
    expect(statusAndCode(await submit({ turnstileToken: 'solved' }))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await stored()).toEqual(before);
  });

  it('needs none of somebody with an account', async () => {
    expect((await submit({}, admin)).status).toBe(201);
    expect(asked).toEqual([]);
  });
});

describe('the order of checks (contract 16)', () => {
  it('has the captcha before the parent', async () => {
    const reply = { parentId: 'unknown', turnstileToken: 'x' };
    const answered = await submit(reply);
    expect([...statusAndCode(answered), issuePaths(answered)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['parentId'],
    ]);
    answer = says({ success: false });
    expect(statusAndCode(await submit(reply))).toEqual(refused);
  });

  it('has it after the rate limit, and after the field that people do not see', async () => {
    expect((await submit({ website_url: 'https://x.example' })).status).toBe(200);
    const send = () => submit({}, guest, '10.3.0.1');
    for (let sent = 0; sent < 5; sent += 1) expect(statusAndCode(await send())).toEqual(refused);
    expect(statusAndCode(await send())).toEqual([429, 'RATE_LIMITED']);
  });
});
