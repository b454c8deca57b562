import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  openDiscussion,
  openSite,
  outcome,
  type Answer,
  type Client,
  type Discussion,
  type Site,
  type TestRole,
} from '@quire/testing';

let site: Site;
let talk: Discussion;
let id: string;
const queue = '/admin/comments';

beforeAll(async () => {
  site = await openSite();
  talk = await openDiscussion(site);
  id = await talk.comment({}, 'pending');
});
afterAll(() => site.close());

const asks: [what: string, lowest: TestRole, ask: (client: Client) => Promise<Answer>][] = [
  ['listAdminComments', 'editor', (client) => client.get(queue)],
  ['getCommentCounts', 'editor', (client) => client.get(`${queue}/counts`)],
  ['getComment', 'editor', (client) => client.get(`${queue}/${id}`)],
  ['updateCommentStatus', 'editor', (client) => client.put(`${queue}/${id}/status`, { status: 'pending' })],
  ['bulkCommentAction', 'editor', (client) => client.post(`${queue}/bulk`, { ids: [id], action: 'spam' })],
  [
    'bulkCommentAction with delete',
    'admin',
    (client) => client.post(`${queue}/bulk`, { ids: ['nothing'], action: 'delete' }),
  ],
  ['deleteComment', 'admin', (client) => client.delete(`${queue}/nothing`)],
];
const roles: TestRole[] = ['subscriber', 'contributor', 'author', 'editor', 'admin'];

describe('moderation (contract 5: comments:moderate 40, comments:delete 50; scope admin)', () => {
  it.each(asks)('%s needs the role %s', async (_, lowest, ask) => {
    for (const role of roles) {
      const isAllowed = roles.indexOf(role) >= roles.indexOf(lowest);
      const answer = await ask(await site.as(role));
      expect([role, outcome(answer)[1] !== 'FORBIDDEN', answer.status !== 403]).toEqual([
        role,
        isAllowed,
        isAllowed,
      ]);
    }
  });

  it.each(asks)('%s needs a credential, and the scope admin', async (_, __, ask) => {
    expect(outcome(await ask(site.anonymous()))).toEqual([401, 'NOT_AUTHENTICATED']);
    const narrow = await site.withScopes('admin', ['content:read', 'content:write', 'settings:manage']);
    expect(outcome(await ask(narrow))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it('deletes nothing of what an editor may not delete', async () => {
    const editor = await site.as('editor');
    expect(outcome(await editor.post(`${queue}/bulk`, { ids: [id], action: 'delete' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(outcome(await editor.delete(`${queue}/${id}`))).toEqual([403, 'FORBIDDEN']);
    expect((await editor.get(`${queue}/${id}`)).status).toBe(200);
  });
});

describe('another site', () => {
  let neighbour: Site;
  let stranger: Client;
  beforeAll(async () => {
    neighbour = await openSite();
    stranger = await neighbour.as('admin');
    await openDiscussion(neighbour, { commentsModeration: 'first_time' });
  });
  afterAll(() => neighbour.close());

  it('sees nothing of a site’s comments and can change nothing', async () => {
    expect(outcome(await stranger.get(`${queue}/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await stranger.put(`${queue}/${id}/status`, { status: 'spam' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(outcome(await stranger.delete(`${queue}/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await stranger.post(`${queue}/bulk`, { ids: [id], action: 'delete' })).data).toEqual({
      affected: 0,
    });
    expect((await stranger.get(queue)).data).toEqual({ items: [] });
    expect((await stranger.get(`${queue}/counts`)).data).toMatchObject({ pending: 0, spam: 0 });
    expect(outcome(await neighbour.anonymous().get(talk.path))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await talk.submit({}, { client: neighbour.anonymous() }))).toEqual([404, 'NOT_FOUND']);
    expect((await site.sql('SELECT 1 FROM comments WHERE id = $1', [id])).length).toBe(1);
  });

  it('takes no cursor of a site’s lists', async () => {
    const admin = await site.as('admin');
    await talk.comment({}, 'pending');
    await talk.comment({}, 'pending');
    const { nextCursor } = (await admin.get(`${queue}?limit=1`)).data;
    expect(outcome(await stranger.get(`${queue}?cursor=${nextCursor}`))).toEqual([400, 'INVALID_CURSOR']);
  });
});
