import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  statusAndCode,
  useSite,
  walkPages,
  type Client,
  type CommentedEntry,
} from '@quire/testing';
import { guestComment } from './support.js';

const site = useSite();
let editor: Client;
let admin: Client;
let commentedEntry: CommentedEntry;
const queue = '/admin/comments';
const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

beforeAll(async () => {
  editor = await site.as('editor');
  admin = await site.as('admin');
  commentedEntry = await createCommentedEntry(site);
});

const get = async (id: string) => (await editor.get(`${queue}/${id}`)).data;
const listed = async (query: string) =>
  ((await editor.get(queue + query)).data.items as { id: string }[]).map(({ id }) => id);
const put = (id: string, status: unknown) => editor.put(`${queue}/${id}/status`, { status });
const bulk = (action: string, ids: unknown, client = editor) => client.post(`${queue}/bulk`, { ids, action });
const counts = async () => (await editor.get(`${queue}/counts`)).data;

describe('GET, PUT and DELETE /admin/comments/{id}', () => {
  it('returns every property of a comment', async () => {
    const { data } = await commentedEntry.submit({
      authorName: 'Ann',
      authorEmail: 'ann@x.example',
      body: 'Hi',
    });
    expect(await get(data.id)).toEqual({
      id: data.id,
      collection: 'posts',
      contentId: commentedEntry.entry.id,
      authorName: 'Ann',
      authorEmail: 'ann@x.example',
      authorUserId: null,
      body: 'Hi',
      status: 'pending',
      parentId: null,
      ipHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      userAgent: null,
      moderationMetadata: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it('returns the user agent, truncated to 500 characters', async () => {
    const headers = { 'user-agent': 'Browser '.repeat(100) };
    const { data } = await site.anonymous().post(commentedEntry.path, guestComment, { headers });
    expect((await get(data.id)).userAgent).toBe('Browser '.repeat(100).slice(0, 500));
  });

  it('changes any status to any other', async () => {
    const id = await commentedEntry.comment();
    const path = [
      'pending',
      'spam',
      'approved',
      'trash',
      'pending',
      'trash',
      'spam',
      'trash',
      'approved',
      'spam',
    ];
    for (const status of path) {
      const response = await put(id, status);
      expect([response.status, response.data.status]).toEqual([200, status]);
    }
    expect((await get(id)).status).toBe('spam');
  });

  it('updates updatedAt only when the status changes', async () => {
    const id = await commentedEntry.comment({}, 'approved');
    await site.sql("UPDATE comments SET updated_at = '2025-01-01Z' WHERE id = $1", [id]);
    expect((await put(id, 'approved')).data.updatedAt).toBe('2025-01-01T00:00:00.000Z');
    expect((await put(id, 'spam')).data.updatedAt).not.toBe('2025-01-01T00:00:00.000Z');
  });

  it.each(['deleted', '', null, 1])('returns 400 for the status %j', async (status) => {
    expect(statusAndCode(await put(unknown, status))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('returns 404 for an unknown comment', async () => {
    for (const response of [
      await admin.get(`${queue}/${unknown}`),
      await admin.put(`${queue}/${unknown}/status`, { status: 'spam' }),
      await admin.delete(`${queue}/${unknown}`),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });

  it('deletes a root with its replies, and a reply alone', async () => {
    const root = await commentedEntry.comment();
    const [first, second] = [
      await commentedEntry.comment({ parentId: root }),
      await commentedEntry.comment({ parentId: root }),
    ];
    expect((await admin.delete(`${queue}/${first}`)).data).toEqual({ deleted: true });
    expect((await get(root)).id).toBe(root);
    await admin.delete(`${queue}/${root}`);
    for (const id of [root, first, second])
      expect(statusAndCode(await editor.get(`${queue}/${id}`))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /admin/comments', () => {
  let pending: string[];
  beforeAll(async () => {
    await site.sql('DELETE FROM comments');
    pending = [];
    for (const name of ['Ann', 'Bob', 'Cleo']) {
      const authorEmail = `${name.toLowerCase()}@x.example`;
      pending.unshift(
        await commentedEntry.comment(
          { authorName: name, authorEmail, body: `I am ${name}, 100%` },
          'pending',
        ),
      );
    }
    await commentedEntry.comment({ authorName: 'Dan' }, 'spam');
    await commentedEntry.comment({ authorName: 'Eve' }, 'trash');
    await commentedEntry.comment({ authorName: 'Fay' }, 'approved');
  });

  it('returns pending comments, newest first, unless a status is given', async () => {
    expect(await listed('')).toEqual(pending);
    expect(await listed('?status=pending')).toEqual(pending);
    for (const [status, name] of [
      ['spam', 'Dan'],
      ['trash', 'Eve'],
      ['approved', 'Fay'],
    ]) {
      const { items } = (await editor.get(`${queue}?status=${status}`)).data;
      expect(items).toEqual([expect.objectContaining({ authorName: name, status })]);
    }
  });

  it.each([
    ['ANN', 1],
    ['bob@x', 1],
    ['i am', 3],
    ['100%', 3],
    ['0_%', 0],
    ['I%Ann', 0],
    ['posts', 0],
    ["'", 0],
    ['\\', 0],
  ])('searches %j literally in names, e-mail addresses and texts: %i hits', async (search, count) => {
    expect(await listed(`?search=${encodeURIComponent(search)}`)).toHaveLength(count);
  });

  it('filters by collection', async () => {
    expect(await listed('?collection=posts')).toEqual(pending);
    expect(await listed('?collection=nothing')).toEqual([]);
  });

  it('returns each comment once, in order, also when the status of some changes between pages', async () => {
    expect((await walkPages(editor, `${queue}?limit=1`)).map(({ id }) => id)).toEqual(pending);
    const { nextCursor } = (await editor.get(`${queue}?limit=1`)).data;
    await put(String(pending[0]), 'trash');
    expect(await listed(`?limit=5&cursor=${nextCursor}`)).toEqual(pending.slice(1));
    await put(String(pending[0]), 'pending');
  });

  it('returns 400 INVALID_CURSOR for a cursor of other filters and for a malformed one', async () => {
    const { nextCursor } = (await editor.get(`${queue}?limit=1`)).data;
    for (const query of [`?status=spam&cursor=${nextCursor}`, `?search=a&cursor=${nextCursor}`, '?cursor=x'])
      expect(statusAndCode(await editor.get(queue + query))).toEqual([400, 'INVALID_CURSOR']);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'status=open',
    'search=',
    `search=${'x'.repeat(201)}`,
    'search=%00',
  ])('returns 400 for %s', async (query) => {
    expect(statusAndCode(await editor.get(`${queue}?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('GET /admin/comments/counts returns the counts by status', async () => {
    expect(await counts()).toEqual({ pending: 3, approved: 1, spam: 1, trash: 1 });
  });
});

describe('POST /admin/comments/bulk', () => {
  beforeAll(() => site.sql('DELETE FROM comments'));

  it.each([
    ['approve', 'approved'],
    ['spam', 'spam'],
    ['trash', 'trash'],
  ])('%s sets the status %s; affected excludes unknown ids', async (action, status) => {
    const ids = [await commentedEntry.comment({}, 'pending'), await commentedEntry.comment({}, 'trash')];
    const other = await commentedEntry.comment({}, 'pending');
    const response = await bulk(action, [...ids, unknown]);
    expect([response.status, response.data]).toEqual([200, { affected: 2 }]);
    for (const id of ids) expect((await get(id)).status).toBe(status);
    expect((await get(other)).status).toBe('pending');
  });

  it('delete removes comments with their replies, and counts a repeated id once', async () => {
    const root = await commentedEntry.comment();
    const reply = await commentedEntry.comment({ parentId: root });
    const other = await commentedEntry.comment();
    const response = await bulk('delete', [root, other, other, unknown], admin);
    expect(response.data).toEqual({ affected: 2 });
    expect(await site.sql('SELECT 1 FROM comments WHERE id = ANY($1)', [[root, reply, other]])).toEqual([]);
  });

  it.each<[string, object]>([
    ['no ids', { ids: [], action: 'spam' }],
    ['over a hundred ids', { ids: Array.from({ length: 101 }, (_, n) => `id${n}`), action: 'spam' }],
    ['an unknown action', { ids: [unknown], action: 'pending' }],
    ['ids of the wrong type', { ids: [1], action: 'spam' }],
    ['no action', { ids: [unknown] }],
  ])('returns 400 for %s', async (_, body) => {
    expect(statusAndCode(await editor.post(`${queue}/bulk`, body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('accepts 100 ids', async () => {
    const ids = Array.from({ length: 100 }, (_, number) => `id${number}`);
    expect((await bulk('spam', ids)).data).toEqual({ affected: 0 });
  });

  it('returns 200 to 8 requests that race on the same comments', async () => {
    await site.sql('DELETE FROM comments');
    await site.sql(
      `INSERT INTO comments (id, collection, content_id, parent_id, author_name, author_email, body, status)
       SELECT 'C' || lpad(n::text, 3, '0'), 'posts', $1, CASE WHEN n > 20 THEN 'C' || lpad((n % 20 + 1)::text, 3, '0') END,
         'Ann', 'ann@x.example', 'Hi', 'pending' FROM generate_series(1, 100) n`,
      [commentedEntry.entry.id],
    );
    const ids = Array.from({ length: 100 }, (_, index) => `C${String(index + 1).padStart(3, '0')}`);
    const roots = ids.slice(0, 20);
    const responses = await Promise.all([
      ...Array.from({ length: 6 }, (_, turn) =>
        bulk(turn % 2 ? 'approve' : 'spam', turn % 3 ? ids : [...ids].reverse()),
      ),
      bulk('delete', roots, admin),
      bulk('delete', [...roots].reverse(), admin),
    ]);
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    const deleted = responses.slice(6).map(({ data }) => data.affected as number);
    expect(deleted.sort((left, right) => left - right)).toEqual([0, 20]);
    expect(await counts()).toEqual({ pending: 0, approved: 0, spam: 0, trash: 0 });
  });
});
