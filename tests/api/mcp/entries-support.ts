import { callTool, type Client, type FieldInput, type ToolResult } from '@quire/testing';

/** A time far in the future, for schedules. */
export const future = '2099-01-01T00:00:00.000Z';

export const articleFields: FieldInput[] = [
  { slug: 'title', type: 'string', required: true },
  { slug: 'body', type: 'text' },
  { slug: 'text', type: 'portableText' },
  { slug: 'rank', type: 'integer', indexed: true },
];

let count = 0;

/** A successful call. @throws Error with the failure otherwise */
export async function succeed(
  client: Client,
  tool: string,
  args: object,
): Promise<{ data: ToolResult['data']; text: string }> {
  const result = await callTool(client, tool, args);
  if (result.isError) throw new Error(`${tool} failed: ${result.text}`);
  return result;
}

/** An entry that a tool has created, with the address that tools need. */
export interface CreatedEntry {
  address: { collection: string; id: string };
  _rev: string;
  item: ToolResult['data'];
}

/** Creates an entry with a unique title by `content_create`. */
export async function create(
  client: Client,
  {
    collection = 'posts',
    data = {},
    ...more
  }: { collection?: string; data?: object; [name: string]: unknown } = {},
): Promise<CreatedEntry> {
  count += 1;
  const values = { title: `Entry ${count}`, ...data };
  const { data: created } = await succeed(client, 'content_create', { collection, data: values, ...more });
  return { address: { collection, id: created.item.id }, _rev: created._rev, item: created.item };
}

/** Code and message of a failure. */
export async function failure(
  client: Client,
  tool: string,
  args: object,
): Promise<[string | undefined, string]> {
  const { code, text } = await callTool(client, tool, args);
  return [code, text];
}

/** An entry as `content_get` returns it. */
export async function read(client: Client, address: object, more: object = {}): Promise<ToolResult['data']> {
  return (await succeed(client, 'content_get', { ...address, ...more })).data;
}
