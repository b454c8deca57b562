import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  openSite,
  statusAndCode,
  type ApiResponse,
  type Client,
  type CommentedEntry,
  type Site,
} from '@quire/testing';

let site: Site;
let commentedEntry: CommentedEntry;
let guest: Client;
let count = 0;

beforeAll(async () => {
  site = await openSite();
  commentedEntry = await createCommentedEntry(site);
  guest = site.anonymous();
});
afterAll(() => site.close());

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
    const answers = [];
    for (let times = 0; times < 8; times += 1) answers.push(await submit(key, from));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([answers[0]?.status, answers.filter(isReplayed).length]).toEqual([201, 7]);
    expect(await countStored()).toBe(before + 1);
  });

  it('stores one comment of three that come at once', async () => {
    const [key, from] = [randomUUID(), address()];
    const before = await countStored();
    const answers = await Promise.all([1, 2, 3].map(() => submit(key, from)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([answers[0]?.status, await countStored()]).toEqual([201, before + 1]);
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
    const answers = [
      await submit(key, address()),
      await submit(key, from, { client: author }),
      await submit(key, from, { client: other.anonymous(), path: elsewhere.path }),
    ];
    for (const answer of answers) {
      expect([answer.status, isReplayed(answer)]).toEqual([201, false]);
      expect(answer.data.id).not.toBe(first.data.id);
    }
    expect((await submit(key, address(), { client: author })).text).toBe(answers[1]?.text);
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
