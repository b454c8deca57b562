import type { Answer, Client } from './client.js';

/** An entry that was made for a test, and what one does with it as its maker. */
export interface TestEntry {
  id: string;
  path: string;
  /** As creating it answered. */
  item: Answer['data'];
  get(): Promise<Answer['data']>;
  put(body: object): Promise<Answer>;
  publish(body?: object): Promise<Answer>;
  unpublish(body?: object): Promise<Answer>;
  schedule(scheduledAt?: unknown): Promise<Answer>;
  unschedule(): Promise<Answer>;
  discard(body?: object): Promise<Answer>;
  remove(): Promise<Answer>;
  restore(): Promise<Answer>;
  duplicate(): Promise<Answer>;
  compare(): Promise<Answer['data']>;
}

let count = 0;

/** Makes an entry; without a word it is a draft of `posts` with a title of its own and a body "old". */
export async function makeEntry(
  client: Client,
  collection = 'posts',
  data: object = {},
  more: object = {},
): Promise<TestEntry> {
  count += 1;
  const values = { title: `Entry ${count}`, body: 'old', ...data };
  const { item } = itemAnswer(await client.post(`/content/${collection}`, { data: values, ...more }));
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
export function itemOf(answer: Answer): Answer['data'] {
  return itemAnswer(answer).item;
}

function itemAnswer({ status, data, body }: Answer): Answer['data'] {
  if (status >= 300) throw new Error(`The answer is no success: ${status} ${JSON.stringify(body)}`);
  return data;
}
