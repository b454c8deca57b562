import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient, type ApiResponse, type Client } from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
const callsPerToken = 7;
const callsPerSite = 12;
let origin: string;
let site: { tenant: string; host: string };

beforeAll(async () => {
  origin = await testEnvironment.start({
    environment: {
      CMS_MCP_CALLS_PER_MINUTE: callsPerToken,
      CMS_MCP_SITE_CALLS_PER_MINUTE: callsPerSite,
      CMS_MCP_ALLOWED_ORIGINS: ['https://app.example'],
    },
  });
});
beforeEach(async () => {
  site = await testEnvironment.newSite();
});

const newToken = () => testEnvironment.client(origin, site, 'editor');
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const createMenu = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'menu_create', arguments: { name, label: name } },
});
async function statusesOf(client: Client, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let call = 0; call < count; call += 1) statuses.push((await client.post('/mcp', ping)).status);
  return statuses;
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status);
const codeOf = ({ status, body }: ApiResponse) => [
  status,
  (body as { error?: { code: number } }).error?.code,
];

describe('rate limits of the MCP server (contract 17)', () => {
  it('count the requests of a token: then 429 with Retry-After', async () => {
    const client = await newToken();
    expect(await statusesOf(client, callsPerToken)).toEqual(times(callsPerToken, 200));
    const refused = await client.post('/mcp', ping);
    expect([refused.status, refused.body]).toEqual([
      429,
      { jsonrpc: '2.0', id: null, error: { code: -32000, message: expect.stringContaining('retry after') } },
    ]);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('count all tokens of a site together, and sites separately', async () => {
    const [one, two] = [await newToken(), await newToken()];
    await statusesOf(one, callsPerToken);
    const left = callsPerSite - callsPerToken;
    expect(await statusesOf(two, left + 1)).toEqual([...times(left, 200), 429]);
    site = await testEnvironment.newSite();
    expect(await statusesOf(await newToken(), 1)).toEqual([200]);
  });

  it('count each message of a batch, of which none is executed above the limit', async () => {
    const client = await newToken();
    const messages = ['a', 'b', 'c', 'd', 'e'].map(createMenu);
    expect((await client.post('/mcp', messages)).status).toBe(200);
    const more = ['f', 'g', 'h'].map(createMenu);
    expect(codeOf(await client.post('/mcp', more))).toEqual([429, -32000]);
    const { data } = await client.get('/menus');
    expect((data as { name: string }[]).map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('let parallel requests pass up to the limit', async () => {
    const client = await newToken();
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.post('/mcp', ping)));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...times(callsPerToken, 200),
      ...times(10 - callsPerToken, 429),
    ]);
  });

  it('do not count requests without a valid token', async () => {
    const client = await newToken();
    for (let request = 0; request < 20; request += 1)
      expect((await createClient({ origin }, site).post('/mcp', ping)).status).toBe(401);
    expect(await statusesOf(client, 1)).toEqual([200]);
  });
});

describe('CMS_MCP_ALLOWED_ORIGINS (contract 1)', () => {
  const from = async (client: Client, requestOrigin: string | undefined) =>
    client.post('/mcp', ping, { headers: { origin: requestOrigin } });

  it.each(['https://evil.example', 'null', 'http://app.example', 'https://app.example.evil.example'])(
    'refuses the origin %s with 403',
    async (requestOrigin) => {
      expect(codeOf(await from(await newToken(), requestOrigin))).toEqual([403, -32000]);
      expect((await from(createClient({ origin }, site), requestOrigin)).status).toBe(403);
    },
  );

  it.each(['https://app.example', undefined])('accepts the origin %s', async (requestOrigin) => {
    expect((await from(await newToken(), requestOrigin)).status).toBe(200);
    expect((await from(createClient({ origin }, site), requestOrigin)).status).toBe(401);
  });
});
