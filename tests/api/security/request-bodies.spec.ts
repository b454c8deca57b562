import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;
let author: Client;
let collection: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  site = await openSite();
  [admin, author] = [await site.as('admin'), await site.as('author')];
  collection = (await site.collection()).slug;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => site.close());

const declaredBytes = 9_000_000;

/**
 * Sends the head of a request with a long body, the beginning of the body, and no more of it.
 * @returns status and code of the response, which a service that waits for the body does not give
 */
async function begin(method: string, path: string, body: string, token?: string): Promise<[number, string]> {
  const { hostname, port } = new URL(site.system.origin);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const headers = {
    Host: site.host,
    'Content-Type': 'application/json',
    'Content-Length': declaredBytes,
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} /_cms/api${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  let text = '';
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('"code"')) resolve();
    });
    socket.on('error', reject).on('close', resolve);
  });
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), /"code":"(\w+)"/.exec(text)?.[1] ?? ''];
}

describe('a request whose caller has no right to it', () => {
  it.each([
    ['PUT', '/settings', undefined, [401, 'NOT_AUTHENTICATED']],
    ['PUT', '/settings', 'ec_pat_unknown', [401, 'INVALID_TOKEN']],
    ['PUT', '/settings', 'author', [403, 'FORBIDDEN']],
    ['POST', '/schema/collections', 'author', [403, 'FORBIDDEN']],
    ['POST', '/media', undefined, [401, 'NOT_AUTHENTICATED']],
  ] as const)('%s %s is answered before its body is read (%s)', async (method, path, caller, expected) => {
    const token = caller === 'author' ? author.token : caller;
    expect(await begin(method, path, '{"title":"', token)).toEqual(expected);
  });

  it('is answered so whatever the body holds', async () => {
    const rawBody = '{"broken';
    expect(statusAndCode(await site.anonymous().put('/settings', {}, { rawBody }))).toEqual([
      401,
      'NOT_AUTHENTICATED',
    ]);
    expect(statusAndCode(await author.put('/settings', {}, { rawBody }))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('a JSON body', () => {
  it.each(['/auth/passkey/options', '/auth/magic-link/send', '/oauth/device/code', '/setup'])(
    'of a public operation has 64 KiB at most: POST %s',
    async (path) => {
      expect(await begin('POST', path, '{"email":"')).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    },
  );

  it('has 1 MiB at most where it carries no content', async () => {
    expect(await begin('PUT', '/settings', '{"title":"', admin.token)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('is refused at the level that is too deep, before the rest of it comes', async () => {
    const path = `/content/${collection}`;
    const tooDeep = '{"data":'.repeat(101);
    expect(await begin('POST', path, tooDeep, author.token)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('is refused for more values than are allowed, and stores nothing', async () => {
    const before = await author.get(`/content/${collection}?limit=1&status=draft`);
    const rawBody = `{"data":{"title":[${'{},'.repeat(500_000)}{}]}}`;
    const answer = await author.post(`/content/${collection}`, {}, { rawBody });
    expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect((await author.get(`/content/${collection}?limit=1&status=draft`)).data).toEqual(before.data);
  });
});
