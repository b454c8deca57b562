import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  statusAndCode,
  useSite,
  type Client,
  type CommentedEntry,
} from '@quire/testing';

const site = useSite();
let commentedEntry: CommentedEntry;
let subscriber: Client;

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
  subscriber = await site.as('subscriber');
});

const statusOf = async (input: object, client?: Client) =>
  (await commentedEntry.submit(input, client ? { client } : {})).data.status as string;

describe('commentsModeration for guests (contract 16)', () => {
  it('"all" holds every comment for approval, also of a known author', async () => {
    await commentedEntry.settings({ commentsModeration: 'all' });
    await commentedEntry.comment({ authorEmail: 'known@x.example' });
    expect(await statusOf({ authorEmail: 'known@x.example' })).toBe('pending');
  });

  it('"first_time" holds comments until one of the same browser and e-mail address was approved', async () => {
    await commentedEntry.settings({ commentsModeration: 'first_time' });
    const authorEmail = 'first@x.example';
    const { data, setCookies } = await commentedEntry.submit({ authorEmail });
    expect(data.status).toBe('pending');
    const headers = { cookie: setCookies.map((text) => text.split(';')[0]).join('; ') };
    const again = async (email: string) =>
      (await commentedEntry.submit({ authorEmail: email }, { headers })).data.status;
    expect(await again(authorEmail)).toBe('pending');
    const setStatus = async (status: string) =>
      (await site.as('admin')).put(`/admin/comments/${data.id}/status`, { status });
    await setStatus('approved');
    expect(await again(' First@X.example')).toBe('approved');
    expect(await again('other@x.example')).toBe('pending');
    expect(await statusOf({ authorEmail })).toBe('pending');
    await setStatus('trash');
    expect(await again(authorEmail)).toBe('pending');
  });

  it('"first_time" approves comments of authenticated users', async () => {
    await commentedEntry.settings({ commentsAutoApproveUsers: false });
    expect(await statusOf({}, subscriber)).toBe('approved');
    await commentedEntry.settings({ commentsAutoApproveUsers: true });
  });

  it('"none" approves every comment', async () => {
    await commentedEntry.settings({ commentsModeration: 'none' });
    const { data } = await commentedEntry.submit();
    expect(data).toMatchObject({ status: 'approved', message: 'Your comment is published' });
  });
});

describe('POST /comments/{collection}/{contentId} by an authenticated user', () => {
  it('is approved with commentsAutoApproveUsers, else moderated like a guest', async () => {
    await commentedEntry.settings({ commentsModeration: 'all', commentsAutoApproveUsers: true });
    expect(await statusOf({}, subscriber)).toBe('approved');
    expect(await statusOf({})).toBe('pending');
    await commentedEntry.settings({ commentsAutoApproveUsers: false });
    expect(await statusOf({}, subscriber)).toBe('pending');
    await commentedEntry.settings({ commentsAutoApproveUsers: true });
  });

  it('stores name and e-mail address of the account; submitted ones are ignored but must be valid', async () => {
    const [user] = await site.sql<{ id: string; email: string }>(
      "UPDATE users SET name = 'Sue' WHERE email LIKE 'subscriber@%' RETURNING id, email",
    );
    const { data } = await commentedEntry.submit(
      { authorName: 'Boss', authorEmail: 'boss@x.example' },
      { client: subscriber },
    );
    const [row] = await site.sql('SELECT * FROM comments WHERE id = $1', [data.id]);
    expect(row).toMatchObject({ author_name: 'Sue', author_email: user?.email, author_user_id: user?.id });
    expect(statusAndCode(await commentedEntry.submit({ authorName: '' }, { client: subscriber }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('shows “Registered user” for an account without a name, never the submitted name or the address', async () => {
    await site.sql("UPDATE users SET name = NULL WHERE email LIKE 'subscriber@%'");
    const { data } = await commentedEntry.submit({ authorName: 'The Boss' }, { client: subscriber });
    const { items } = (await site.anonymous().get(`${commentedEntry.path}?limit=100`)).data;
    expect(items).toContainEqual(
      expect.objectContaining({ id: data.id, authorName: 'Registered user', isRegisteredUser: true }),
    );
    expect(JSON.stringify(items)).not.toContain('@');
  });

  it('is not marked as spam for many links', async () => {
    expect(await statusOf({ body: 'https://a.b '.repeat(9) }, subscriber)).toBe('approved');
  });

  it('returns 401 for an invalid token instead of accepting a guest comment', async () => {
    const impostor = site.withToken('ec_pat_unknown');
    expect(statusAndCode(await commentedEntry.submit({}, { client: impostor }))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
    expect(statusAndCode(await impostor.get(commentedEntry.path))).toEqual([401, 'INVALID_TOKEN']);
  });
});
