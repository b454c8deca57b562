import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  openSite,
  type ApiResponse,
  type Client,
  type CommentedEntry,
  type Site,
} from '@quire/testing';

let site: Site;
let admin: Client;
let commentedEntry: CommentedEntry;
beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  commentedEntry = await createCommentedEntry(site, { commentsModeration: 'first_time' });
});
afterAll(() => site.close());

const commenterCookie = ({ setCookies }: ApiResponse) =>
  setCookies.find((text) => /^(__Host-)?cms_commenter=/.test(text)) ?? '';
const headersWith = (setCookie: string) => ({ cookie: setCookie.split(';')[0] ?? '' });
const send = (authorEmail: string, setCookie?: string) =>
  commentedEntry.submit({ authorEmail }, setCookie === undefined ? {} : { headers: headersWith(setCookie) });
const approve = (id: string) => admin.put(`/admin/comments/${id}/status`, { status: 'approved' });
/** What an answer says, but for the id. */
const summaryOf = ({ status, data }: ApiResponse) => [status, data.status, data.message];

/** An address whose comment was approved, and the cookie of the browser that sent it. */
async function approved(authorEmail: string): Promise<string> {
  const answer = await send(authorEmail);
  await approve(answer.data.id);
  return commenterCookie(answer);
}

describe('POST /comments/{collection}/{contentId} on a collection that moderates first comments', () => {
  it('answers a stranger alike for addresses of approved comments, of users and of nobody', async () => {
    await approved('ann@known.example');
    await site.as('editor');
    const pending = summaryOf(await send('nobody@unknown.example'));
    expect(pending.slice(0, 2)).toEqual([201, 'pending']);
    expect(summaryOf(await send('ANN@known.example'))).toEqual(pending);
    expect(summaryOf(await send(`editor@${site.tenant}.example`))).toEqual(pending);
  });

  it('publishes for the browser and address of an approved comment, and for no other address', async () => {
    const cookie = await approved('bea@known.example');
    expect((await send('bea@known.example', cookie)).data.status).toBe('approved');
    expect((await send('ann@known.example', cookie)).data.status).toBe('pending');
    expect((await send('other@known.example', cookie)).data.status).toBe('pending');
  });

  it('keeps the cookie worthless until the comment is approved, and gives the same one again', async () => {
    const first = await send('cleo@known.example');
    const second = await send('cleo@known.example', commenterCookie(first));
    expect([first.data.status, second.data.status]).toEqual(['pending', 'pending']);
    expect(headersWith(commenterCookie(second))).toEqual(headersWith(commenterCookie(first)));
    await approve(first.data.id);
    expect((await send('cleo@known.example', commenterCookie(second))).data.status).toBe('approved');
  });

  it('does not let a guest pass for a user whose address was approved by mistake', async () => {
    await site.as('author');
    const cookie = await approved(`author@${site.tenant}.example`);
    expect((await send(`author@${site.tenant}.example`, cookie)).data.status).toBe('pending');
  });

  it('takes no forged cookie, none of another comment and none of another site', async () => {
    const cookie = await approved('dora@known.example');
    const [, id = '', mac = ''] = /=(\w+)\.([\w-]+)/.exec(cookie) ?? [];
    const name = cookie.split('=')[0];
    const { data } = await send('eve@known.example');
    await approve(data.id);
    const forged = [`${id}.${'A'.repeat(43)}`, `${data.id}.${mac}`, id, `${id}.`, '.', 'x'];
    for (const value of forged)
      for (const email of ['dora@known.example', 'eve@known.example'])
        expect([value, (await send(email, `${name}=${value}`)).data.status]).toEqual([value, 'pending']);
    const neighbour = await openSite();
    try {
      const other = await createCommentedEntry(neighbour, { commentsModeration: 'first_time' });
      const sent = await other.submit(
        { authorEmail: 'dora@known.example' },
        { headers: headersWith(cookie) },
      );
      expect(sent.data.status).toBe('pending');
    } finally {
      await neighbour.close();
    }
  });

  it('gives guests a cookie that scripts do not read, and signed-in commenters none', async () => {
    expect(commenterCookie(await send('fay@known.example'))).toMatch(/; HttpOnly;.*SameSite=Lax/);
    expect((await commentedEntry.submit({}, { client: await site.as('subscriber') })).setCookies).toEqual([]);
  });
});
