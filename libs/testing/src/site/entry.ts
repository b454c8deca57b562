import type { ApiResponse, Client } from './client.js';

/** An entry of a test, and the operations of its author. */
export interface TestEntry {
  id: string;
  path: string;
  /** The created item. */
  item: ApiResponse['data'];
  get(): Promise<ApiResponse['data']>;
  put(body: object): Promise<ApiResponse>;
  publish(body?: object): Promise<ApiResponse>;
  unpublish(body?: object): Promise<ApiResponse>;
  schedule(scheduledAt?: unknown): Promise<ApiResponse>;
  unschedule(): Promise<ApiResponse>;
  discard(body?: object): Promise<ApiResponse>;
  remove(): Promise<ApiResponse>;
  restore(): Promise<ApiResponse>;
  duplicate(): Promise<ApiResponse>;
  compare(): Promise<ApiResponse['data']>;
}

let count = 0;

/** Creates an entry; by default a draft of `posts` with a unique title and a body "old". */
export async function createEntry(
  client: Client,
  collection = 'posts',
  data: object = {},
  more: object = {},
): Promise<TestEntry> {
  count += 1;
  const values = { title: `Entry ${count}`, body: 'old', ...data };
  const { item } = successData(await client.post(`/content/${collection}`, { data: values, ...more }));
  const path = `/content/${collection}/${item.id}`;
  return {
    id: item.id,
    path,
    item,
    get: async () => (await client.get(path)).data,
    put: (body) => client.put(path, body),
    publish: (body) => client.post(`${path}/publish`, body),
    unpublish: (body) => client.post(`${path}/unpublish`, body),
    schedule: (scheduledAt = '2099-01-01T00:00:00.000Z') => client.post(`${path}/schedule`, { scheduledAt }),
    unschedule: () => client.delete(`${path}/schedule`),
    discard: (body) => client.post(`${path}/discard-draft`, body),
    remove: () => client.delete(path),
    restore: () => client.post(`${path}/restore`),
    duplicate: () => client.post(`${path}/duplicate`),
    compare: async () => (await client.get(`${path}/compare`)).data,
  };
}

/** The entry in a successful response. @throws Error with the response otherwise */
export function itemOf(response: ApiResponse): ApiResponse['data'] {
  return successData(response).item;
}

function successData({ status, data, body }: ApiResponse): ApiResponse['data'] {
  if (status >= 300) throw new Error(`Unexpected response: ${status} ${JSON.stringify(body)}`);
  return data;
}
