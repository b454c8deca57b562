import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  openSite,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type CommentedEntry,
} from '@quire/testing';

const site = useSite();
let commentedEntry: CommentedEntry;
let guest: Client;
let count = 0;

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
  guest = site.anonymous();
});

/** An address that no other test uses. */
const address = () => `198.51.100.${(count += 1)}`;
const submitted = { authorName: 'Ann', authorEmail: 'ann@guests.example', body: 'Well said' };
function submit(
  key: string,
  from: string,
  { body = {}, client = guest, path = commentedEntry.path } = {},
): Promise<ApiResponse> {
  return client.post(
    path,
    { ...submitted, ...body },
    { headers: { 'idempotency-key': key, 'x-real-ip': from } },
  );
}
const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';
const countStored = async () => (await site.sql('SELECT 1 FROM comments')).length;

describe('createComment with an Idempotency-Key', () => {
  it('stores one comment of a guest who sends it again from the same address, and answers the same', async () => {
    const [key, from] = [randomUUID(), address()];
    const before = await countStored();
    const responses = [];
    for (let times = 0; times < 8; times += 1) responses.push(await submit(key, from));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, responses.filter(isReplayed).length]).toEqual([201, 7]);
    expect(await countStored()).toBe(before + 1);
  });

  it('stores one comment of three that come at once', async () => {
    const [key, from] = [randomUUID(), address()];
    const before = await countStored();
    const responses = await Promise.all([1, 2, 3].map(() => submit(key, from)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, await countStored()]).toEqual([201, before + 1]);
  });

  it('is 409 IDEMPOTENCY_CONFLICT for another comment, but not for another answer to the captcha', async () => {
    const [key, from] = [randomUUID(), address()];
    const first = await submit(key, from);
    expect(statusAndCode(await submit(key, from, { body: { body: 'Other' } }))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ]);
    const again = await submit(key, from, { body: { turnstileToken: 'fresh' } });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('is another key from another address, of a user, and at another tenant', async () => {
    const [key, from] = [randomUUID(), address()];
    const first = await submit(key, from);
    const author = await site.as('author');
    const other = await openSite();
    const elsewhere = await createCommentedEntry(other);
    const responses = [
      await submit(key, address()),
      await submit(key, from, { client: author }),
      await submit(key, from, { client: other.anonymous(), path: elsewhere.path }),
    ];
    for (const response of responses) {
      expect([response.status, isReplayed(response)]).toEqual([201, false]);
      expect(response.data.id).not.toBe(first.data.id);
    }
    expect((await submit(key, address(), { client: author })).text).toBe(responses[1]?.text);
    await other.close();
  });

  it('is not used up by a comment that was refused, or taken for the work of a program', async () => {
    const [key, from] = [randomUUID(), address()];
    expect(statusAndCode(await submit(key, from, { body: { parentId: 'none' } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await submit(key, from, { body: { website_url: 'x' } })).status).toBe(200);
    expect((await submit(key, from)).status).toBe(201);
  });

  it('is 400 VALIDATION_ERROR when it is no key', async () => {
    expect(statusAndCode(await submit('', address()))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
