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

  it('writes, stages, publishes and restores an entry', async () => {
    const parsed = async (name: string, args: Record<string, unknown>) => {
      const { text, isError } = await call(name, args);
      if (isError) throw new Error(text);
      return JSON.parse(text);
    };
    const written = await parsed('content_create', {
      collection: 'posts',
      data: { title: 'First' },
      status: 'published',
    });
    const target = { collection: 'posts', id: written.item.id };
    const staged = await parsed('content_update', {
      ...target,
      _rev: written._rev,
      data: { title: 'Second' },
    });
    expect(staged.item).toMatchObject({ data: { title: 'Second' }, liveData: { title: 'First' } });
    const published = await parsed('content_publish', { ...target, _rev: staged._rev });
    expect(published.item).toMatchObject({ data: { title: 'Second' }, draftRevisionId: null });
    const revisions = await parsed('revision_list', target);
    const first = revisions.items.find(({ data }: { data: { title: string } }) => data.title === 'First');
    const restored = await parsed('revision_restore', { revisionId: first.id });
    expect(restored.item).toMatchObject({ data: { title: 'First' }, liveData: { title: 'Second' } });
  });
});
