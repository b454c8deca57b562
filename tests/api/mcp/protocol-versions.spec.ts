import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { modernMeta, resultOf, rpc, rpcError, toolCall, type RpcResponse } from './support.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
});

const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
const withVersion = (version: string | undefined) => ({ headers: { 'mcp-protocol-version': version } });
const ping = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const pings = (count: number) => Array.from({ length: count }, (_, id) => ping(id));
const batch = (messages: unknown, version?: string) => editor.post('/mcp', messages, withVersion(version));

describe('initialize (contract 1, 17)', () => {
  const initialize = (protocolVersion: unknown, version?: string) => {
    const clientInfo = { name: 'spec', version: '1' };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    return rpc(editor, 'initialize', params, withVersion(version));
  };

  it.each(legacyVersions)('agrees on %s', async (version) => {
    expect(resultOf(await initialize(version))).toMatchObject({ protocolVersion: version });
  });

  it.each(['2026-07-28', '2099-01-01', 'x', ''])('returns 2025-11-25 for %j', async (version) => {
    expect(resultOf(await initialize(version))).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it('returns the server, its capabilities and how to begin', async () => {
    const result = resultOf(await initialize('2025-11-25'));
    expect(result).toEqual({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'cms', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: expect.stringContaining('schema_list_collections'),
    });
    expect(result.instructions.length).toBeLessThan(2_048);
  });

  it('is not bound to the header, which is for later requests', async () => {
    expect((await initialize('2025-11-25', '2026-07-28')).status).toBe(200);
    expect((await initialize('2025-11-25', '2099-01-01')).status).toBe(200);
  });

  it.each([undefined, 5, null])('is -32602 with the version %j', async (version) => {
    expect(rpcError(await initialize(version))).toEqual([200, -32602]);
  });
});

describe('MCP-Protocol-Version (contract 1)', () => {
  it.each([undefined, ...legacyVersions])('%s is served', async (version) => {
    expect((await rpc(editor, 'ping', {}, withVersion(version))).status).toBe(200);
  });

  it.each(['2025-01-01', 'x', '2025-11-25, 2025-11-25'])(
    '%s is 400, and the supported ones',
    async (version) => {
      const response = await rpc(editor, 'ping', {}, withVersion(version));
      expect(rpcError(response)).toEqual([400, -32000]);
      for (const supported of legacyVersions)
        expect((response.body as RpcResponse).error?.message).toContain(supported);
    },
  );

  it('is also checked for notifications', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(rpcError(await editor.post('/mcp', notification, withVersion('x')))).toEqual([400, -32000]);
  });

  it('makes the other headers of newer revisions meaningless', async () => {
    const headers = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'ping', 'mcp-name': 'menu_delete' };
    const result = resultOf(await rpc(editor, 'tools/call', { name: 'menu_list' }, { headers }));
    expect(result).not.toHaveProperty('isError');
  });
});

describe('batches (contract 1)', () => {
  it.each([undefined, '2025-03-26'])('are served for the revision %s', async (version) => {
    const { status, body } = await batch([ping('a'), ping(1)], version);
    expect([status, body]).toEqual([
      200,
      [
        { jsonrpc: '2.0', id: 'a', result: {} },
        { jsonrpc: '2.0', id: 1, result: {} },
      ],
    ]);
  });

  it.each(['2025-06-18', '2025-11-25', '2024-11-05', '2026-07-28'])(
    'are 400 for the revision %s',
    async (version) => {
      expect((await batch([ping(1)], version)).status).toBe(400);
    },
  );

  it('of one message is an array', async () => {
    expect((await batch([ping(1)])).body).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('answers each of two equal ids', async () => {
    const { body } = await batch([ping(1), { jsonrpc: '2.0', id: 1, method: 'unknown' }, ping(1)]);
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });

  it('calls tools in order, and answers neither notifications nor responses', async () => {
    const { body } = await batch([
      toolCall('menu_create', { name: 'batch', label: 'Batch' }, 1),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 9, result: {} },
      toolCall('menu_get', { name: 'batch' }, 2),
      toolCall('menu_get', { name: 'missing' }, 3),
    ]);
    const [created, found, missing] = body as RpcResponse[];
    expect(body).toHaveLength(3);
    expect(created?.result).not.toHaveProperty('isError');
    expect(JSON.parse(found?.result.content[0].text)).toMatchObject({ name: 'batch' });
    expect(missing).toMatchObject({ id: 3, result: { isError: true, _meta: { code: 'NOT_FOUND' } } });
  });

  it('of notifications is 202', async () => {
    const { status, text } = await batch([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect([status, text]).toEqual([202, '']);
  });

  it('is 400 -32600 when it is empty', async () => {
    expect(rpcError(await batch([]))).toEqual([400, -32600]);
  });

  it('has up to 100 messages', async () => {
    expect((await batch(pings(100))).body).toHaveLength(100);
    expect(rpcError(await batch(pings(101)))).toEqual([400, -32600]);
  });

  it.each<[string, unknown]>([
    ['no message', 5],
    [
      'initialize',
      { jsonrpc: '2.0', id: 2, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
    ],
    ['a request of 2026-07-28', { ...ping(2), params: { _meta: modernMeta() } }],
  ])('with %s is 400 -32600, and nothing is done', async (_, message) => {
    const create = toolCall('menu_create', { name: 'undone', label: 'Undone' });
    expect(rpcError(await batch([create, message]))).toEqual([400, -32600]);
    expect((await callTool(editor, 'menu_get', { name: 'undone' })).code).toBe('NOT_FOUND');
  });
});
