import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  describePermissions,
  openSite,
  statusAndCode,
  useSite,
  type Client,
  type CommentedEntry,
  type PermissionCase,
  type Site,
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

describe('moderation (contract 5)', () => {
  describePermissions(() => site, permissionCases);

  it('deletes nothing of what an editor may not delete', async () => {
    const editor = await site.as('editor');
    expect(statusAndCode(await editor.post(`${queue}/bulk`, { ids: [id], action: 'delete' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(statusAndCode(await editor.delete(`${queue}/${id}`))).toEqual([403, 'FORBIDDEN']);
    expect((await editor.get(`${queue}/${id}`)).status).toBe(200);
  });
});

describe('another site', () => {
  let neighbour: Site;
  let stranger: Client;
  beforeAll(async () => {
    neighbour = await openSite();
    stranger = await neighbour.as('admin');
    await createCommentedEntry(neighbour, { commentsModeration: 'first_time' });
  });
  afterAll(() => neighbour.close());

  it('sees nothing of a site’s comments and can change nothing', async () => {
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

  it('takes no cursor of a site’s lists', async () => {
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
