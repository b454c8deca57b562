import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  createEntry,
  statusAndCode,
  useSite,
  walkPages,
  type ApiResponse,
  type Client,
  type CommentedEntry,
} from '@quire/testing';

const site = useSite();
let visitor: Client;
let commentedEntry: CommentedEntry;

beforeAll(async () => {
  visitor = site.anonymous();
});

const ids = ({ data }: ApiResponse) => (data.items as { id: string }[]).map(({ id }) => id);

describe('GET /comments/{collection}/{contentId}', () => {
  let approved: string[];
  beforeAll(async () => {
    commentedEntry = await createCommentedEntry(site);
    const root = await commentedEntry.comment({ authorName: 'Root', body: 'First' });
    approved = [
      root,
      await commentedEntry.comment(),
      await commentedEntry.comment({ parentId: root, body: 'Reply' }),
    ];
    for (const status of ['pending', 'spam', 'trash']) await commentedEntry.comment({}, status);
    const other = await createCommentedEntry(site);
    await other.comment();
  });

  it('returns only approved comments, oldest first, without credentials', async () => {
    const response = await visitor.get(commentedEntry.path);
    expect([response.status, ids(response), response.data.total]).toEqual([200, approved, 3]);
    expect(response.data).not.toHaveProperty('nextCursor');
  });

  it('returns only the name of an author', async () => {
    const { data } = await visitor.get(commentedEntry.path);
    expect(data.items[0]).toEqual({
      id: approved[0],
      authorName: 'Root',
      isRegisteredUser: false,
      body: 'First',
      parentId: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const threaded = await visitor.get(`${commentedEntry.path}?threaded=true`);
    expect(JSON.stringify([data, threaded.data])).not.toMatch(/@|email|hash|agent/i);
  });

  it('returns roots with their replies for threaded=true', async () => {
    const { data } = await visitor.get(`${commentedEntry.path}?threaded=true`);
    const [root, second, reply] = approved;
    expect(data).toEqual({
      items: [
        expect.objectContaining({
          id: root,
          replies: [expect.objectContaining({ id: reply, parentId: root })],
        }),
        expect.objectContaining({ id: second, replies: [] }),
      ],
      total: 3,
    });
  });

  it('returns a flat list for threaded=false, and 400 for other values', async () => {
    expect(ids(await visitor.get(`${commentedEntry.path}?threaded=false`))).toEqual(approved);
    expect(statusAndCode(await visitor.get(`${commentedEntry.path}?threaded=yes`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('omits an approved reply while its root is not approved', async () => {
    const admin = await site.as('admin');
    const [root, second, reply] = approved;
    await admin.put(`/admin/comments/${root}/status`, { status: 'trash' });
    for (const path of [commentedEntry.path, `${commentedEntry.path}?threaded=true`]) {
      const response = await visitor.get(path);
      expect([ids(response), response.data.total]).toEqual([[second], 1]);
    }
    await admin.put(`/admin/comments/${root}/status`, { status: 'approved' });
    expect(ids(await visitor.get(commentedEntry.path))).toContain(reply);
  });

  it('returns the same comments to an administrator', async () => {
    expect(ids(await (await site.as('admin')).get(commentedEntry.path))).toEqual(approved);
  });
});

describe('GET /comments/{collection}/{contentId} in pages', () => {
  let paged: CommentedEntry;
  beforeAll(async () => {
    paged = await createCommentedEntry(site);
    // Several have the same creation time, so that pages end between equal keys.
    await site.sql(
      `INSERT INTO comments (id, collection, content_id, author_name, author_email, body, status, created_at)
       SELECT 'C' || lpad(n::text, 4, '0'), 'posts', $1, 'Ann', 'ann@x.example', 'Hi', 'approved',
         timestamptz '2025-01-01Z' + make_interval(secs => n / 7) FROM generate_series(1, 620) n`,
      [paged.entry.id],
    );
  });
  const all = Array.from({ length: 620 }, (_, index) => `C${String(index + 1).padStart(4, '0')}`);

  it('returns each comment once, in order', async () => {
    expect((await walkPages(visitor, `${paged.path}?limit=90`)).map(({ id }) => id)).toEqual(all);
  });

  it('returns 50 comments by default and at most 100', async () => {
    const lengths = [];
    for (const query of ['', '?limit=1', '?limit=100', '?limit=101', '?limit=100000'])
      lengths.push(ids(await visitor.get(paged.path + query)).length);
    expect(lengths).toEqual([50, 1, 100, 100, 100]);
  });

  it.each(['0', '-1', '1.5', 'many', ''])('returns 400 VALIDATION_ERROR for limit=%s', async (limit) => {
    expect(statusAndCode(await visitor.get(`${paged.path}?limit=${limit}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('returns the same total on every page', async () => {
    const first = (await visitor.get(`${paged.path}?limit=100`)).data;
    const second = (await visitor.get(`${paged.path}?limit=100&cursor=${first.nextCursor}`)).data;
    expect([first.total, second.total]).toEqual([620, 620]);
  });

  it('returns 400 INVALID_CURSOR for a malformed cursor and for one of another entry', async () => {
    const { nextCursor } = (await visitor.get(`${paged.path}?limit=1`)).data;
    for (const path of [
      `${paged.path}?cursor=nonsense`,
      `${commentedEntry.path}?cursor=${nextCursor}`,
      `${paged.path}?threaded=true&cursor=${nextCursor}`,
    ])
      expect(statusAndCode(await visitor.get(path))).toEqual([400, 'INVALID_CURSOR']);
  });

  it('returns the first 500 comments in one page for threaded=true', async () => {
    const { data } = await visitor.get(`${paged.path}?threaded=true`);
    expect([data.items.length, data.total, 'nextCursor' in data]).toEqual([500, 620, false]);
    expect(data.items[499].id).toBe('C0500');
  });
});

describe('GET /comments/{collection}/{contentId} without readable comments', () => {
  const get = async (path: string) => statusAndCode(await visitor.get(path));

  it('returns 404 for an unknown collection, an unknown entry and an unpublished entry', async () => {
    const admin = await site.as('admin');
    const draft = await createEntry(admin);
    expect(await get(`/comments/nothing/${commentedEntry.entry.id}`)).toEqual([404, 'NOT_FOUND']);
    expect(await get('/comments/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV')).toEqual([404, 'NOT_FOUND']);
    expect(await get(`/comments/posts/${draft.id}`)).toEqual([404, 'NOT_FOUND']);
    await commentedEntry.entry.unpublish();
    expect(await get(commentedEntry.path)).toEqual([404, 'NOT_FOUND']);
    await commentedEntry.entry.publish();
    expect(await get(commentedEntry.path)).toEqual([200, '']);
  });

  it('returns 403 COMMENTS_DISABLED when the collection disables comments', async () => {
    await commentedEntry.settings({ commentsEnabled: false });
    expect(await get(commentedEntry.path)).toEqual([403, 'COMMENTS_DISABLED']);
    await commentedEntry.settings({ commentsEnabled: true });
  });

  it('returns the existing comments of an entry that is closed for new ones', async () => {
    await site.sql("UPDATE content_posts SET published_at = now() - interval '1 year' WHERE id = $1", [
      commentedEntry.entry.id,
    ]);
    expect(statusAndCode(await commentedEntry.submit())).toEqual([403, 'COMMENTS_CLOSED']);
    expect((await visitor.get(commentedEntry.path)).data.total).toBe(3);
  });
});

describe('comments of a deleted entry or collection', () => {
  const commentsOf = (id: string) => site.sql('SELECT id FROM comments WHERE content_id = $1', [id]);

  it('are retained in the trash, and deleted with the permanent deletion of the entry', async () => {
    const admin = await site.as('admin');
    const short = await createCommentedEntry(site);
    const root = await short.comment();
    await short.comment({ parentId: root });
    await short.entry.remove();
    expect(await commentsOf(short.entry.id)).toHaveLength(2);
    expect((await admin.delete(`${short.entry.path}/permanent`)).status).toBe(200);
    expect(await commentsOf(short.entry.id)).toEqual([]);
  });

  it('are deleted with the collection', async () => {
    const admin = await site.as('admin');
    expect((await admin.delete('/schema/collections/posts?force=true')).status).toBe(200);
    expect(await site.sql('SELECT 1 FROM comments')).toEqual([]);
  });
});
