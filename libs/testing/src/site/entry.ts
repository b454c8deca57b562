import type { ApiResponse, Client } from './client.js';

/** An entry that was made for a test, and what one does with it as its maker. */
export interface TestEntry {
  id: string;
  path: string;
  /** As creating it answered. */
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

/** Makes an entry; without a word it is a draft of `posts` with a title of its own and a body "old". */
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

/** The entry in an answer that is to be a success. @throws Error with the answer, when it is none. */
export function itemOf(answer: ApiResponse): ApiResponse['data'] {
  return successData(answer).item;
}

function successData({ status, data, body }: ApiResponse): ApiResponse['data'] {
  if (status >= 300) throw new Error(`Unexpected response: ${status} ${JSON.stringify(body)}`);
  return data;
}
