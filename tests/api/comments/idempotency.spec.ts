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
import { countComments, guestComment } from './support.js';

const site = useSite();
let commentedEntry: CommentedEntry;
let guest: Client;
let count = 0;

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
  guest = site.anonymous();
});

/** An unused client address. */
const newAddress = () => `198.51.100.${(count += 1)}`;
function submit(
  key: string,
  from: string,
  { body = {}, client = guest, path = commentedEntry.path } = {},
): Promise<ApiResponse> {
  return client.post(
    path,
    { ...guestComment, ...body },
    { headers: { 'idempotency-key': key, 'x-real-ip': from } },
  );
}
const isReplayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';

describe('POST /comments/{collection}/{contentId} with an Idempotency-Key', () => {
  it('stores one comment and returns the same response for repeated requests of one client address', async () => {
    const [key, from] = [randomUUID(), newAddress()];
    const before = await countComments(site);
    const responses = [];
    for (let times = 0; times < 8; times += 1) responses.push(await submit(key, from));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, responses.filter(isReplayed).length]).toEqual([201, 7]);
    expect(await countComments(site)).toBe(before + 1);
  });

  it('stores one comment when 3 requests race', async () => {
    const [key, from] = [randomUUID(), newAddress()];
    const before = await countComments(site);
    const responses = await Promise.all([1, 2, 3].map(() => submit(key, from)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, await countComments(site)]).toEqual([201, before + 1]);
  });

  it('returns 409 IDEMPOTENCY_CONFLICT for another comment, but accepts another captcha token', async () => {
    const [key, from] = [randomUUID(), newAddress()];
    const first = await submit(key, from);
    expect(statusAndCode(await submit(key, from, { body: { body: 'Other' } }))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ]);
    const again = await submit(key, from, { body: { turnstileToken: 'fresh' } });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('treats the key as another one for another address, user or tenant', async () => {
    const [key, from] = [randomUUID(), newAddress()];
    const first = await submit(key, from);
    const author = await site.as('author');
    const other = await openSite();
    const elsewhere = await createCommentedEntry(other);
    const responses = [
      await submit(key, newAddress()),
      await submit(key, from, { client: author }),
      await submit(key, from, { client: other.anonymous(), path: elsewhere.path }),
    ];
    for (const response of responses) {
      expect([response.status, isReplayed(response)]).toEqual([201, false]);
      expect(response.data.id).not.toBe(first.data.id);
    }
    expect((await submit(key, newAddress(), { client: author })).text).toBe(responses[1]?.text);
    await other.close();
  });

  it('can reuse the key after a rejected comment and after one that was taken for spam', async () => {
    const [key, from] = [randomUUID(), newAddress()];
    expect(statusAndCode(await submit(key, from, { body: { parentId: 'none' } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect((await submit(key, from, { body: { website_url: 'x' } })).status).toBe(200);
    expect((await submit(key, from)).status).toBe(201);
  });

  it('returns 400 VALIDATION_ERROR for an invalid key', async () => {
    expect(statusAndCode(await submit('', newAddress()))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
