import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
/** May call no writing tool: the block precedes scope and role. */
let subscriber: Client;
let tools: ListedTool[] = [];

interface ListedTool {
  name: string;
  annotations?: { readOnlyHint?: boolean };
  inputSchema: Schema;
}
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  minItems?: number;
}

beforeAll(async () => {
  admin = await site.as('admin');
  subscriber = await site.withScopes('subscriber', ['content:read', 'media:read']);
  for (const slug of ['posts', 'pages']) await site.collection({ slug });
  const list = await admin.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  ({ tools } = (list.body as { result: { tools: ListedTool[] } }).result);
  const { data } = await admin.post('/admin/media-usage/activation', { writersDrained: true });
  if (data?.outcome !== 'activating')
    throw new Error(`The activation did not begin: ${JSON.stringify(data)}`);
});

const isTransfer = ({ name }: ListedTool) => name.startsWith('site_');
const isReading = ({ annotations }: ListedTool) => annotations?.readOnlyHint === true;

/** A value that the schema allows. */
function sample({
  type,
  enum: values,
  anyOf,
  properties = {},
  required = [],
  items,
  minItems = 0,
}: Schema): unknown {
  if (values) return values.at(-1);
  if (anyOf) return sample(anyOf[0] ?? {});
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
  if (type === 'array') return Array.from({ length: minItems }, () => sample(items ?? {}));
  if (type === 'boolean') return true;
  // A valid slug, label and base64.
  return type === 'integer' || type === 'number' ? 1 : 'abcd';
}
/** Arguments with conditions that a schema does not express. */
const digest = `sha256:${'0'.repeat(64)}`;
const others: Record<string, object> = {
  content_schedule: { scheduledAt: '2099-01-01T00:00:00Z' },
  site_import_start: { packageDigest: digest, planDigest: digest },
};
const call = ({ name, inputSchema }: ListedTool, client: Client) =>
  callTool(client, name, { ...(sample(inputSchema) as object), ...others[name] });

describe('during media usage activation', () => {
  it('every writing tool fails with MEDIA_USAGE_ACTIVATION_IN_PROGRESS, whatever scope and role', async () => {
    const writing = tools.filter((tool) => !isReading(tool) && !isTransfer(tool));
    expect(writing.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'media_delete',
        'media_upload',
        'media_usage_repair',
        'menu_set_items',
        'taxonomy_create',
      ]),
    );
    for (const tool of writing)
      for (const client of [subscriber, admin])
        expect([tool.name, (await call(tool, client)).code]).toEqual([
          tool.name,
          'MEDIA_USAGE_ACTIVATION_IN_PROGRESS',
        ]);
  });

  it('invalid arguments are reported first', async () => {
    expect((await callTool(admin, 'menu_create', {})).code).toBe('VALIDATION_ERROR');
    expect((await callTool(admin, 'media_delete', {})).code).toBe('VALIDATION_ERROR');
  });

  it('blocked calls have no effect', async () => {
    await callTool(admin, 'menu_create', { name: 'blocked', label: 'Blocked' });
    expect((await callTool(admin, 'menu_get', { name: 'blocked' })).code).toBe('NOT_FOUND');
  });

  it('reading tools work', async () => {
    const reading = tools.filter((tool) => isReading(tool) && !isTransfer(tool));
    expect(reading.length).toBeGreaterThan(5);
    for (const tool of reading) {
      const { isError, code } = await call(tool, admin);
      expect([tool.name, isError ? code : 'success']).toEqual([
        tool.name,
        expect.stringMatching(/^(success|NOT_FOUND)$/),
      ]);
    }
  });

  it('the tools of site transfers are not blocked', async () => {
    const transfers = tools.filter(isTransfer);
    expect(transfers).toHaveLength(8);
    for (const tool of transfers)
      expect([tool.name, (await call(tool, admin)).code ?? 'success']).toEqual([
        tool.name,
        expect.stringMatching(/^(success|TRANSFER_OPERATION_NOT_FOUND)$/),
      ]);
  });

  it('all tools work again once it is active', async () => {
    for (let step = 0; step < 10; step += 1) {
      const { data } = await admin.post('/admin/media-usage/activation', { writersDrained: true });
      if (data.outcome === 'active') break;
    }
    expect((await callTool(admin, 'menu_create', { name: 'after', label: 'After' })).isError).toBe(false);
    expect((await callTool(admin, 'media_usage_repair', { scope: 'all' })).isError).toBe(false);
  });
});
