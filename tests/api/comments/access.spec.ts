import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  describePermissions,
  statusAndCode,
  useSite,
  type Client,
  type CommentedEntry,
  type PermissionCase,
} from '@quire/testing';

const site = useSite();
let commentedEntry: CommentedEntry;
let id: string;
const queue = '/admin/comments';

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
  id = await commentedEntry.comment({}, 'pending');
});

const permissionCases: PermissionCase[] = [
  {
    permission: 'comments:moderate',
    minRole: 'editor',
    scopes: ['admin'],
    expectedStatus: 200,
    operations: {
      listAdminComments: (client) => client.get(queue),
      getCommentCounts: (client) => client.get(`${queue}/counts`),
      getComment: (client) => client.get(`${queue}/${id}`),
      updateCommentStatus: (client) => client.put(`${queue}/${id}/status`, { status: 'pending' }),
      bulkCommentAction: (client) => client.post(`${queue}/bulk`, { ids: [id], action: 'spam' }),
    },
  },
  {
    permission: 'comments:delete',
    minRole: 'admin',
    scopes: ['admin'],
    operations: {
      'bulkCommentAction with delete': (client) =>
        client.post(`${queue}/bulk`, { ids: ['nothing'], action: 'delete' }),
      deleteComment: (client) => client.delete(`${queue}/nothing`),
    },
  },
];

describe('permissions for moderation (contract 5)', () => {
  describePermissions(() => site, permissionCases);

  it('returns 403 to editors who delete comments, and deletes nothing', async () => {
    const editor = await site.as('editor');
    expect(statusAndCode(await editor.post(`${queue}/bulk`, { ids: [id], action: 'delete' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(statusAndCode(await editor.delete(`${queue}/${id}`))).toEqual([403, 'FORBIDDEN']);
    expect((await editor.get(`${queue}/${id}`)).status).toBe(200);
  });
});

describe('comments of another site', () => {
  const neighbour = useSite();
  let stranger: Client;
  beforeAll(async () => {
    stranger = await neighbour.as('admin');
    await createCommentedEntry(neighbour, { commentsModeration: 'first_time' });
  });

  it('are not found, listed, counted, changed or deleted', async () => {
    expect(statusAndCode(await stranger.get(`${queue}/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await stranger.put(`${queue}/${id}/status`, { status: 'spam' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(statusAndCode(await stranger.delete(`${queue}/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await stranger.post(`${queue}/bulk`, { ids: [id], action: 'delete' })).data).toEqual({
      affected: 0,
    });
    expect((await stranger.get(queue)).data).toEqual({ items: [] });
    expect((await stranger.get(`${queue}/counts`)).data).toMatchObject({ pending: 0, spam: 0 });
    expect(statusAndCode(await neighbour.anonymous().get(commentedEntry.path))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await commentedEntry.submit({}, { client: neighbour.anonymous() }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect((await site.sql('SELECT 1 FROM comments WHERE id = $1', [id])).length).toBe(1);
  });

  it('returns 400 INVALID_CURSOR for a cursor of the other site', async () => {
    const admin = await site.as('admin');
    await commentedEntry.comment({}, 'pending');
    await commentedEntry.comment({}, 'pending');
    const { nextCursor } = (await admin.get(`${queue}?limit=1`)).data;
    expect(statusAndCode(await stranger.get(`${queue}?cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
  });
});
