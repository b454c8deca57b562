import type { ApiResponse, Client } from './client.js';
import { createEntry, type TestEntry } from './entry.js';
import type { Site } from './open-site.js';

export interface SubmitOptions {
  /** A guest unless given. */
  client?: Client;
  /** The client's address: an unused one unless given. */
  address?: string | null;
  headers?: Record<string, string>;
}

/** A published entry with comments, and the actions of visitors. */
export interface CommentedEntry {
  entry: TestEntry;
  /** Path of its comments: "/comments/posts/01…". */
  path: string;
  /** Sends a comment, by default as a guest from an unused address; `address: null` is an unknown one. */
  submit(input?: object, options?: SubmitOptions): Promise<ApiResponse>;
  /** Sends a comment and sets its status; @returns its id */
  comment(input?: object, status?: string): Promise<string>;
  /** Changes the comment settings of the collection. */
  settings(changes: object): Promise<void>;
}

let count = 0;

/** Creates a collection `posts` with comments, unless it exists, and publishes an entry in it. */
export async function createCommentedEntry(site: Site, settings: object = {}): Promise<CommentedEntry> {
  const admin = await site.as('admin');
  if ((await admin.get('/schema/collections/posts')).status === 404) await site.collection();
  const change = async (changes: object) =>
    assertSuccess(await admin.put('/schema/collections/posts', changes));
  await change({ commentsEnabled: true, ...settings });
  const entry = await createEntry(admin);
  assertSuccess(await entry.publish());
  const path = `/comments/posts/${entry.id}`;
  const submit: CommentedEntry['submit'] = (input = {}, options = {}) => {
    count += 1;
    const { client = site.anonymous(), address = addressNumber(count), headers } = options;
    const body = {
      authorName: 'Ann',
      authorEmail: `ann${count}@guests.example`,
      body: 'Well said',
      ...input,
    };
    return client.post(path, body, { headers: { ...headers, 'x-real-ip': address ?? undefined } });
  };
  return {
    entry,
    path,
    submit,
    async comment(input, status = 'approved') {
      const { data } = assertSuccess(await submit(input));
      assertSuccess(await admin.put(`/admin/comments/${data.id}/status`, { status }));
      return data.id as string;
    },
    settings: async (changes) => void (await change(changes)),
  };
}

/** An address that no other call uses, so that no limit is reached by accident. */
function addressNumber(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

function assertSuccess(response: ApiResponse): ApiResponse {
  if (response.status < 300) return response;
  throw new Error(`Unexpected response: ${response.status} ${JSON.stringify(response.body)}`);
}
