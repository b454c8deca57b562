import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { modernMeta, modernRpc, modernVersion, resultOf, rpc, rpcError } from './support.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await callTool(editor, 'menu_create', { name: 'main', label: 'Main' });
});

const serverInfo = { name: 'cms', version: expect.stringMatching(/^\d+\.\d+\.\d+/) };
const resultMeta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const menuArguments = { name: 'menu_get', arguments: { name: 'main' } };

describe('results of revision 2026-07-28 (contract 17)', () => {
  it('server/discover describes the server', async () => {
    const { status, body } = await modernRpc(editor, 'server/discover');
    expect([status, body]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: [modernVersion],
          capabilities: { tools: {} },
          instructions: expect.stringContaining('schema_list_collections'),
          ttlMs: 60_000,
          cacheScope: 'private',
          _meta: resultMeta,
        },
      },
    ]);
  });

  it('tools/list has the tools of older revisions, and how long to keep them', async () => {
    const { tools, ...rest } = resultOf(await modernRpc(editor, 'tools/list'));
    expect(rest).toEqual({
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: resultMeta,
    });
    expect(tools).toEqual(resultOf(await rpc(editor, 'tools/list')).tools);
  });

  it('tools/call returns the result of the tool', async () => {
    const result = resultOf(await modernRpc(editor, 'tools/call', menuArguments));
    expect(result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: expect.stringContaining('"main"') }],
      _meta: resultMeta,
    });
  });

  it('tools/call returns a failure of the tool with its code', async () => {
    const result = resultOf(
      await modernRpc(editor, 'tools/call', { name: 'menu_get', arguments: { name: 'missing' } }),
    );
    expect(result).toMatchObject({
      resultType: 'complete',
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^\[NOT_FOUND\] /) }],
      _meta: { ...resultMeta, code: 'NOT_FOUND' },
    });
  });

  it('need no information about the client', async () => {
    const meta = { 'io.modelcontextprotocol/clientInfo': undefined };
    expect((await modernRpc(editor, 'tools/list', {}, { meta })).status).toBe(200);
  });
});

describe('errors of revision 2026-07-28 (contract 17)', () => {
  it.each(['unknown', 'subscriptions/listen', 'initialize', 'ping', 'logging/setLevel', 'resources/list'])(
    '%s is 404 -32601',
    async (method) => {
      const response = await modernRpc(editor, method);
      expect(rpcError(response)).toEqual([404, -32601]);
      expect(response.body).toMatchObject({ id: 1 });
      expect(response.headers.get('content-type')).toBe('application/json');
    },
  );

  it('an unknown tool is -32602', async () => {
    expect(rpcError(await modernRpc(editor, 'tools/call', { name: 'unknown' }))).toEqual([200, -32602]);
  });

  it('an unknown version is 400 -32022, with the supported ones', async () => {
    const requested = '2027-01-01';
    const response = await modernRpc(
      editor,
      'tools/list',
      {},
      {
        headers: { 'mcp-protocol-version': requested },
        meta: { 'io.modelcontextprotocol/protocolVersion': requested },
      },
    );
    expect(rpcError(response)).toEqual([400, -32022]);
    expect(response.body).toMatchObject({
      id: 1,
      error: { data: { supported: [modernVersion], requested } },
    });
  });

  it.each(['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'])(
    '_meta without %s is 400 -32602',
    async (key) => {
      const response = await modernRpc(editor, 'server/discover', {}, { meta: { [key]: undefined } });
      expect(rpcError(response)).toEqual([400, -32602]);
      expect(response.body).toMatchObject({ id: 1 });
    },
  );

  it('a body without _meta is 400 -32602', async () => {
    const headers = { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/list' };
    expect(rpcError(await rpc(editor, 'tools/list', {}, { headers }))).toEqual([400, -32602]);
  });
});

describe('headers of revision 2026-07-28 (contract 17)', () => {
  it('may have the name in base64', async () => {
    const headers = { 'mcp-name': base64('menu_get') };
    expect((await modernRpc(editor, 'tools/call', menuArguments, { headers })).status).toBe(200);
  });

  const remove = { name: 'menu_delete', arguments: { name: 'main' } };
  it.each<[string, Record<string, string | undefined>]>([
    ['the name of a reading tool', { 'mcp-name': 'menu_get' }],
    ['the name of a reading tool in base64', { 'mcp-name': base64('menu_get') }],
    ['two names', { 'mcp-name': 'menu_delete, menu_get' }],
    ['no name', { 'mcp-name': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['no method', { 'mcp-method': undefined }],
    ['an older version', { 'mcp-protocol-version': '2025-11-25' }],
    ['no version', { 'mcp-protocol-version': undefined }],
  ])('with %s are 400 -32020, and nothing is done', async (_, headers) => {
    const response = await modernRpc(editor, 'tools/call', remove, { headers });
    expect(rpcError(response)).toEqual([400, -32020]);
    expect(response.body).toMatchObject({ id: 1 });
    expect((await callTool(editor, 'menu_get', { name: 'main' })).isError).toBe(false);
  });

  it('are not read where the body is of an older revision', async () => {
    const headers = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'ping', 'mcp-name': 'menu_delete' };
    const result = resultOf(await rpc(editor, 'tools/call', menuArguments, { headers }));
    expect(result).not.toHaveProperty('isError');
    expect(result).not.toHaveProperty('resultType');
  });

  it('do not make an unclaimed body modern when they are missing', async () => {
    const params = { ...menuArguments, _meta: { progressToken: 1 } };
    expect(resultOf(await rpc(editor, 'tools/call', params))).not.toHaveProperty('resultType');
    expect(modernMeta()).toHaveProperty(['io.modelcontextprotocol/protocolVersion']);
  });
});
