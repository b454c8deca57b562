import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createToolSet } from '@quire/gateway-service';
import { createEntry, useFixture, useSite, type TestEntry } from '@quire/testing';
import { siteFetch } from '../oauth/support.js';

const site = useSite();
const client = useFixture(async () => {
  const { token } = await site.as('editor');
  const sdk = new Client({ name: 'tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://${site.host}/_cms/api/mcp`), {
    fetch: siteFetch(site),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  // the types of the SDK do not know exactOptionalPropertyTypes
  await sdk.connect(transport as Parameters<Client['connect']>[0]);
  return sdk;
});
let entry: TestEntry;
beforeAll(async () => {
  await site.collection();
  entry = await createEntry(await site.as('admin'));
});

const call = async (name: string, args: Record<string, unknown> = {}) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [{ text = '' } = {}] = content as { text?: string }[];
  return { text, isError: isError ?? false };
};

describe('client of @modelcontextprotocol/sdk', () => {
  it('initializes, lists every tool of the generated table on one page, and pings', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'cms' });
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
    const { tools, nextCursor } = await client.listTools();
    expect(nextCursor).toBeUndefined();
    const generated: { name: string }[] = JSON.parse(createToolSet({ maxUploadBytes: 1 }).listText);
    expect(tools.map(({ name }) => name)).toEqual(generated.map(({ name }) => name));
    expect(await client.ping()).toEqual({});
  });

  it('calls tools of a service, whose failures are results', async () => {
    expect(JSON.parse((await call('menu_list')).text)).toEqual([]);
    const found = await call('content_get', { collection: 'posts', id: entry.id });
    expect(JSON.parse(found.text)).toMatchObject({ item: { id: entry.id }, _rev: expect.any(String) });
    const missing = await call('content_get', { collection: 'posts', id: 'no-such-entry' });
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/^\[NOT_FOUND\] /) });
  });
});
