import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  issuePaths,
  statusAndCode,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
  type CommentedEntry,
} from '@quire/testing';

const site = useSite();
let commentedEntry: CommentedEntry;
const rowLock = useRowLock(site);

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
});
beforeEach(() => site.sql('DELETE FROM comments'));

const blocked = (count: number) => waitUntilBlocked(site, ['comments', 'content_posts'], count);

const insert = (id: string, parentId: string | null) =>
  site.sql(
    `INSERT INTO comments (id, collection, content_id, parent_id, author_name, author_email, body, status)
     VALUES ($1, 'posts', $2, $3, 'Ann', 'ann@x.example', 'Hi', 'pending')`,
    [id, commentedEntry.entry.id, parentId],
  );

describe('POST /comments/{collection}/{contentId} racing with the deletion of its parent', () => {
  it('returns 400 as for an unknown parent', async () => {
    const root = await commentedEntry.comment();
    await rowLock.acquire('DELETE FROM comments WHERE id = $1', [root]);
    const reply = commentedEntry.submit({ parentId: root });
    await blocked(1);
    await rowLock.release();
    const response = await reply;
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['parentId'],
    ]);
  });
});

describe('POST /comments/{collection}/{contentId} racing with the deletion of its entry', () => {
  it('blocks the deletion until the comment is stored, so that the permanent deletion includes it', async () => {
    const trashed = await createCommentedEntry(site);
    const admin = await site.as('admin');
    await rowLock.acquire('LOCK TABLE comments IN SHARE ROW EXCLUSIVE MODE');
    const submission = trashed.submit();
    await blocked(1);
    const removal = trashed.entry.remove();
    await blocked(2);
    await rowLock.release();
    expect((await submission).status).toBe(201);
    expect((await removal).status).toBe(200);
    expect((await admin.delete(`${trashed.entry.path}/permanent`)).status).toBe(200);
    expect(await site.sql('SELECT 1 FROM comments')).toEqual([]);
  });
});

describe('POST /admin/comments/bulk racing on one thread', () => {
  const approve = async () =>
    (await site.as('editor')).post('/admin/comments/bulk', { ids: ['C1', 'C2'], action: 'approve' });
  const remove = async () =>
    (await site.as('admin')).post('/admin/comments/bulk', { ids: ['R'], action: 'delete' });

  it.each<[string, (() => Promise<ApiResponse>)[]]>([
    ['the approval', [approve, remove]],
    ['the removal', [remove, approve]],
  ])('causes no deadlock when %s is first', async (_, requests) => {
    // Inserted in another order than that of their ids, which is the order in which the foreign key locks them.
    await insert('R', null);
    await insert('C2', 'R');
    await insert('C1', 'R');
    await rowLock.acquire("SELECT 1 FROM comments WHERE id = 'C2' FOR UPDATE");
    const responses: Promise<ApiResponse>[] = [];
    for (const request of requests) {
      responses.push(request());
      await blocked(responses.length);
    }
    await rowLock.release();
    expect((await Promise.all(responses)).map(statusAndCode)).toEqual([
      [200, ''],
      [200, ''],
    ]);
    expect(await site.sql('SELECT 1 FROM comments')).toEqual([]);
  });
});

describe('the total of GET /comments/{collection}/{contentId}', () => {
  const total = async () => (await site.anonymous().get(commentedEntry.path)).data.total as number;

  it('counts no reply that is approved while its root loses the approval', async () => {
    const root = await commentedEntry.comment();
    const reply = await commentedEntry.comment({ parentId: root }, 'pending');
    await rowLock.acquire("UPDATE comments SET status = 'trash' WHERE id = $1", [root]);
    const approval = (await site.as('editor')).put(`/admin/comments/${reply}/status`, { status: 'approved' });
    await waitUntilBlocked(site, ['comment_counts']);
    await rowLock.release();
    expect([(await approval).status, await total()]).toEqual([200, 0]);
  });

  it('counts no reply whose root loses the approval while it is approved', async () => {
    const root = await commentedEntry.comment();
    const reply = await commentedEntry.comment({ parentId: root }, 'pending');
    await rowLock.acquire("UPDATE comments SET status = 'approved' WHERE id = $1", [reply]);
    const removal = (await site.as('editor')).put(`/admin/comments/${root}/status`, { status: 'trash' });
    await waitUntilBlocked(site, ['comment_counts']);
    await rowLock.release();
    expect([(await removal).status, await total()]).toEqual([200, 0]);
    await (await site.as('editor')).put(`/admin/comments/${root}/status`, { status: 'approved' });
    expect(await total()).toBe(2);
  });
});
