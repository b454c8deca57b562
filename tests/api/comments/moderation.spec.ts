import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  statusAndCode,
  useSite,
  walkPages,
  type Client,
  type CommentedEntry,
} from '@quire/testing';

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

describe('a comment in moderation', () => {
  it('shows all that is known of it', async () => {
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

  it('names the program that sent it, cut off at 500 characters', async () => {
    const body = { authorName: 'Ann', authorEmail: 'ann@x.example', body: 'Hi' };
    const headers = { 'user-agent': 'Browser '.repeat(100) };
    const { data } = await site.anonymous().post(commentedEntry.path, body, { headers });
    expect((await get(data.id)).userAgent).toBe('Browser '.repeat(100).slice(0, 500));
  });

  it('goes from any status to any', async () => {
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

  it('moves updatedAt with its status and with nothing else', async () => {
    const id = await commentedEntry.comment({}, 'approved');
    await site.sql("UPDATE comments SET updated_at = '2025-01-01Z' WHERE id = $1", [id]);
    expect((await put(id, 'approved')).data.updatedAt).toBe('2025-01-01T00:00:00.000Z');
    expect((await put(id, 'spam')).data.updatedAt).not.toBe('2025-01-01T00:00:00.000Z');
  });

  it.each(['deleted', '', null, 1])('does not get the status %j: 400', async (status) => {
    expect(statusAndCode(await put(unknown, status))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('that does not exist is 404, however it is asked for', async () => {
    for (const response of [
      await admin.get(`${queue}/${unknown}`),
      await admin.put(`${queue}/${unknown}/status`, { status: 'spam' }),
      await admin.delete(`${queue}/${unknown}`),
    ])
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });

  it('is removed for good with its replies, and a reply alone', async () => {
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

describe('listAdminComments', () => {
  let waiting: string[];
  beforeAll(async () => {
    await site.sql('DELETE FROM comments');
    waiting = [];
    for (const name of ['Ann', 'Bob', 'Cleo']) {
      const authorEmail = `${name.toLowerCase()}@x.example`;
      waiting.unshift(
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

  it('is what waits, newest first, and another status when asked for', async () => {
    expect(await listed('')).toEqual(waiting);
    expect(await listed('?status=pending')).toEqual(waiting);
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
  ])('finds %j in names, addresses and texts, as it stands: %i', async (search, count) => {
    expect(await listed(`?search=${encodeURIComponent(search)}`)).toHaveLength(count);
  });

  it('can be that of one collection', async () => {
    expect(await listed('?collection=posts')).toEqual(waiting);
    expect(await listed('?collection=nothing')).toEqual([]);
  });

  it('is paged: each once, in order, while some of it is decided', async () => {
    expect((await walkPages(editor, `${queue}?limit=1`)).map(({ id }) => id)).toEqual(waiting);
    const { nextCursor } = (await editor.get(`${queue}?limit=1`)).data;
    await put(String(waiting[0]), 'trash');
    expect(await listed(`?limit=5&cursor=${nextCursor}`)).toEqual(waiting.slice(1));
    await put(String(waiting[0]), 'pending');
  });

  it('takes no cursor of another list or of other filters', async () => {
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
  ])('is refused with %s: 400', async (query) => {
    expect(statusAndCode(await editor.get(`${queue}?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('getCommentCounts counts by status', async () => {
    expect(await counts()).toEqual({ pending: 3, approved: 1, spam: 1, trash: 1 });
  });
});

describe('bulkCommentAction', () => {
  beforeAll(() => site.sql('DELETE FROM comments'));

  it.each([
    ['approve', 'approved'],
    ['spam', 'spam'],
    ['trash', 'trash'],
  ])('%s: all become %s, and are counted; unknown ids are not', async (action, status) => {
    const ids = [await commentedEntry.comment({}, 'pending'), await commentedEntry.comment({}, 'trash')];
    const bystander = await commentedEntry.comment({}, 'pending');
    const response = await bulk(action, [...ids, unknown]);
    expect([response.status, response.data]).toEqual([200, { affected: 2 }]);
    for (const id of ids) expect((await get(id)).status).toBe(status);
    expect((await get(bystander)).status).toBe('pending');
  });

  it('delete: they are gone with their replies; an id that is named twice counts once', async () => {
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
    ['ids that are no texts', { ids: [1], action: 'spam' }],
    ['no action', { ids: [unknown] }],
  ])('are refused for %s: 400', async (_, body) => {
    expect(statusAndCode(await editor.post(`${queue}/bulk`, body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('can be a hundred', async () => {
    const ids = Array.from({ length: 100 }, (_, number) => `id${number}`);
    expect((await bulk('spam', ids)).data).toEqual({ affected: 0 });
  });

  it('are decided by several moderators at the same time without a failure', async () => {
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
