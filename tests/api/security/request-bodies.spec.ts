import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let author: Client;
let collection: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  [admin, author] = [await site.as('admin'), await site.as('author')];
  collection = (await site.collection()).slug;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const declaredBytes = 9_000_000;

/**
 * Sends the head of a request with a long body and only the beginning of the body.
 * @returns status and code of the response; a service that waits for the whole body sends none
 */
async function sendPartially(
  method: string,
  path: string,
  body: string,
  token?: string,
): Promise<[number, string]> {
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

describe('request without the permission', () => {
  it.each([
    ['PUT', '/settings', undefined, [401, 'NOT_AUTHENTICATED']],
    ['PUT', '/settings', 'ec_pat_unknown', [401, 'INVALID_TOKEN']],
    ['PUT', '/settings', 'author', [403, 'FORBIDDEN']],
    ['POST', '/schema/collections', 'author', [403, 'FORBIDDEN']],
    ['POST', '/media', undefined, [401, 'NOT_AUTHENTICATED']],
  ] as const)('%s %s is rejected before its body is read (%s)', async (method, path, caller, expected) => {
    const token = caller === 'author' ? author.token : caller;
    expect(await sendPartially(method, path, '{"title":"', token)).toEqual(expected);
  });

  it('is rejected with the same error for an invalid body', async () => {
    const rawBody = '{"broken';
    expect(statusAndCode(await site.anonymous().put('/settings', {}, { rawBody }))).toEqual([
      401,
      'NOT_AUTHENTICATED',
    ]);
    expect(statusAndCode(await author.put('/settings', {}, { rawBody }))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('JSON body', () => {
  it.each(['/auth/passkey/options', '/auth/magic-link/send', '/oauth/device/code', '/setup'])(
    'is limited to 64 KiB for the public operation POST %s',
    async (path) => {
      expect(await sendPartially('POST', path, '{"email":"')).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    },
  );

  it('is limited to 1 MiB for operations without content', async () => {
    expect(await sendPartially('PUT', '/settings', '{"title":"', admin.token)).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
  });

  it('is rejected at the maximum depth before the rest arrives', async () => {
    const path = `/content/${collection}`;
    const tooDeep = '{"data":'.repeat(101);
    expect(await sendPartially('POST', path, tooDeep, author.token)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('is rejected for too many values, and nothing is stored', async () => {
    const before = await author.get(`/content/${collection}?limit=1&status=draft`);
    const rawBody = `{"data":{"title":[${'{},'.repeat(500_000)}{}]}}`;
    const response = await author.post(`/content/${collection}`, {}, { rawBody });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect((await author.get(`/content/${collection}?limit=1&status=draft`)).data).toEqual(before.data);
  });
});
