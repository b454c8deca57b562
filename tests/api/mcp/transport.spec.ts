import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type ApiResponse, type Client } from '@quire/testing';
import { resultOf, rpc, rpcError, toolCall, type RpcResponse } from './support.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
});

const json = { headers: { 'content-type': 'application/json' } };
const sendText = (rawBody: string, headers: Record<string, string> = {}, client = editor) =>
  client.post('/mcp', undefined, { headers: { ...json.headers, ...headers }, rawBody });
const nullError = (code: number, message: unknown = expect.any(String)) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
});
const mebibyte = 1024 * 1024;
/** A request of this many bytes, or a few more. */
const pingOf = (bytes: number) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { padding: 'x'.repeat(bytes) } });

describe('HTTP methods (contract 1)', () => {
  it.each<[string, (client: Client) => Promise<ApiResponse>]>([
    ['GET', (client) => client.get('/mcp')],
    ['GET for an event stream', (client) => client.get('/mcp', { headers: { accept: 'text/event-stream' } })],
    ['DELETE', (client) => client.delete('/mcp')],
    ['PUT', (client) => client.put('/mcp', {})],
    ['PATCH', (client) => client.patch('/mcp', {})],
    ['OPTIONS', (client) => client.options('/mcp')],
  ])('%s returns 405 with Allow, and no CORS header', async (_, send) => {
    const { status, body, headers } = await send(editor);
    expect([status, body]).toEqual([405, nullError(-32000, 'Method not allowed.')]);
    expect([headers.get('allow'), headers.get('access-control-allow-origin')]).toEqual(['POST', null]);
  });

  it('HEAD returns 405 without a body', async () => {
    const { status, text } = await editor.head('/mcp');
    expect([status, text]).toEqual([405, '']);
  });

  it('POST returns one JSON object that no cache keeps, and begins no session', async () => {
    const { status, body, headers } = await rpc(editor, 'ping');
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect([headers.get('mcp-session-id'), headers.get('access-control-allow-origin')]).toEqual([null, null]);
  });

  it('POST with a slash at the end is the same', async () => {
    expect((await editor.post('/mcp/', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  });
});

describe('media types (contract 1)', () => {
  it.each([
    undefined,
    '*/*',
    'application/json, text/event-stream',
    'text/event-stream;q=0.5,application/json',
  ])('Accept %j is served', async (accept) => {
    expect((await rpc(editor, 'ping', {}, { headers: { accept } })).status).toBe(200);
  });

  it.each(['application/json', 'text/event-stream', 'text/html', 'application/json, text/event-stream;q=0'])(
    'Accept %s is 406',
    async (accept) => {
      const { status, body } = await rpc(editor, 'ping', {}, { headers: { accept } });
      expect([status, body]).toEqual([406, nullError(-32000)]);
    },
  );

  it('application/json with a charset is served', async () => {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    expect((await sendText(pingOf(1), type)).status).toBe(200);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
    'Content-Type %s is 415',
    async (type) => {
      const { status, body } = await sendText(pingOf(1), { 'content-type': type });
      expect([status, body]).toEqual([415, nullError(-32000)]);
    },
  );
});

describe('bodies (contract 1)', () => {
  it.each(['', '{', 'ping', '{"jsonrpc":"2.0",}', '{"__proto__":{"a":1}}'])(
    '%j is 400 -32700',
    async (text) => {
      const { status, body } = await sendText(text);
      expect([status, body]).toEqual([400, nullError(-32700)]);
    },
  );

  it.each(['null', '5', '"ping"', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}'])(
    '%s is 400 -32600',
    async (text) => {
      const { status, body } = await sendText(text);
      expect([status, body]).toEqual([400, nullError(-32600)]);
    },
  );

  it.each([
    ['method', { jsonrpc: '2.0', id: 1 }],
    ['id', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['id', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    ['params', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }],
  ])('a request with another %s is 400 -32600: %j', async (_, request) => {
    expect(rpcError(await editor.post('/mcp', request))).toEqual([400, -32600]);
  });

  it('over 4 MiB is 413 for a token that may not upload', async () => {
    const reader = await site.withScopes('editor', ['content:write', 'media:read']);
    const { status, body } = await sendText(pingOf(4 * mebibyte), {}, reader);
    expect([status, body]).toEqual([413, nullError(-32000)]);
    expect((await sendText(pingOf(4 * mebibyte - 200), {}, reader)).status).toBe(200);
  });

  it.each(['media:write', 'admin'])('of 8 MiB is served for a token with %s', async (scope) => {
    const uploader = await site.withScopes('editor', [scope]);
    expect((await sendText(pingOf(8 * mebibyte), {}, uploader)).status).toBe(200);
  });

  it.each([100_000, 200])('nested %i levels deep is 400, before it is parsed', async (depth) => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const { status, body } = await sendText(text);
    expect([status, body]).toEqual([400, nullError(-32600)]);
  });
});

describe('notifications, responses and ids (contract 1)', () => {
  it.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } },
    { jsonrpc: '2.0', method: 'unknown' },
    { jsonrpc: '2.0', id: 5, result: {} },
    { jsonrpc: '2.0', id: null, error: { code: -1, message: 'x' } },
  ])('%j is 202 without a body', async (message) => {
    const { status, text, headers } = await editor.post('/mcp', message);
    expect([status, text, headers.get('cache-control')]).toEqual([202, '', 'private, no-store']);
  });

  it('a call without an id is not made', async () => {
    const { id: _, ...notification } = toolCall('menu_create', { name: 'silent', label: 'Silent' });
    expect((await editor.post('/mcp', notification)).status).toBe(202);
    expect((await callTool(editor, 'menu_get', { name: 'silent' })).code).toBe('NOT_FOUND');
  });

  it.each([0, 1, -5, Number.MAX_SAFE_INTEGER, '', '1', 'ä"'])('the id %j is echoed', async (id) => {
    for (const method of ['ping', 'unknown'])
      expect((await editor.post('/mcp', { jsonrpc: '2.0', id, method })).body).toMatchObject({ id });
  });
});

describe('methods (contract 1)', () => {
  it.each(['resources/list', 'prompts/list', 'server/discover', 'toString', ''])(
    '%j is -32601',
    async (method) => {
      expect(rpcError(await rpc(editor, method))).toEqual([200, -32601]);
    },
  );

  it.each(['ping', 'logging/setLevel'])('%s returns an empty object', async (method) => {
    expect(resultOf(await rpc(editor, method, { level: 'info' }))).toEqual({});
  });

  it('tools/list returns one page in the same order each time, to every caller', async () => {
    const subscriber = await site.withScopes('subscriber', ['media:read']);
    const [first, again, theirs] = [
      await rpc(editor, 'tools/list'),
      await rpc(editor, 'tools/list', { cursor: 'x' }),
      await rpc(subscriber, 'tools/list'),
    ];
    expect(first.text).toBe(again.text);
    expect(first.text).toBe(theirs.text);
    expect(Object.keys(resultOf(first))).toEqual(['tools']);
  });

  it.each(['', 'menu', 'MENU_GET', 'toString', '__proto__', 'shop__order'])(
    'tools/call of the unknown tool %j is -32602',
    async (name) => {
      expect(rpcError(await rpc(editor, 'tools/call', { name }))).toEqual([200, -32602]);
    },
  );

  it.each([{}, { name: 5 }, { name: null }])('tools/call with %j is -32602', async (params) => {
    expect(rpcError(await rpc(editor, 'tools/call', params))).toEqual([200, -32602]);
  });

  it('tools/call takes missing arguments as none, and works without initialize', async () => {
    const { result } = (await rpc(editor, 'tools/call', { name: 'menu_list' })).body as RpcResponse;
    expect(result).toEqual({ content: [{ type: 'text', text: expect.stringMatching(/^\[/) }] });
  });

  it.each([[[]], ['x'], [5], [null]])(
    'tools/call with the arguments %j is VALIDATION_ERROR',
    async (args) => {
      const result = resultOf(await rpc(editor, 'tools/call', { name: 'menu_list', arguments: args }));
      expect(result).toMatchObject({ isError: true, _meta: { code: 'VALIDATION_ERROR' } });
      expect(result.content[0].text).toMatch(/^\[VALIDATION_ERROR\] arguments: /);
    },
  );
});
