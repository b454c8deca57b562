import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  issuePaths,
  openRowLock,
  statusAndCode,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
  type CommentedEntry,
  type RowLock,
} from '@quire/testing';

const site = useSite();
let commentedEntry: CommentedEntry;
/** Holds rows, so that requests meet in the order that a test wants. */
let rowLock: RowLock;

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
  rowLock = await openRowLock(site);
});
beforeEach(() => site.sql('DELETE FROM comments'));
afterAll(async () => {
  await rowLock.close();
});

const blocked = (count: number) => waitUntilBlocked(site, ['comments', 'content_posts'], count);

const insert = (id: string, parentId: string | null) =>
  site.sql(
    `INSERT INTO comments (id, collection, content_id, parent_id, author_name, author_email, body, status)
     VALUES ($1, 'posts', $2, $3, 'Ann', 'ann@x.example', 'Hi', 'pending')`,
    [id, commentedEntry.entry.id, parentId],
  );

describe('a reply that is being stored while its root is removed', () => {
  it('is refused like one to a comment that never was', async () => {
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

describe('a comment that is being stored while its entry goes to the trash', () => {
  it('is stored first: the entry waits, so that removing it for good cannot miss the comment', async () => {
    const doomed = await createCommentedEntry(site);
    const admin = await site.as('admin');
    await rowLock.acquire('LOCK TABLE comments IN SHARE ROW EXCLUSIVE MODE');
    const submission = doomed.submit();
    await blocked(1);
    const removal = doomed.entry.remove();
    await blocked(2);
    await rowLock.release();
    expect((await submission).status).toBe(201);
    expect((await removal).status).toBe(200);
    expect((await admin.delete(`${doomed.entry.path}/permanent`)).status).toBe(200);
    expect(await site.sql('SELECT 1 FROM comments')).toEqual([]);
  });
});

describe('moderators who decide on the same thread at the same time', () => {
  const approve = async () =>
    (await site.as('editor')).post('/admin/comments/bulk', { ids: ['C1', 'C2'], action: 'approve' });
  const remove = async () =>
    (await site.as('admin')).post('/admin/comments/bulk', { ids: ['R'], action: 'delete' });

  it.each<[string, (() => Promise<ApiResponse>)[]]>([
    ['the approval', [approve, remove]],
    ['the removal', [remove, approve]],
  ])('do not block each other for good when %s is first', async (_, requests) => {
    // Stored in another order than that of their ids, which is the order that the foreign key would take them in.
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
