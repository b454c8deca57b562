import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  openSite,
  useSite,
  type ApiResponse,
  type Client,
  type CommentedEntry,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let commentedEntry: CommentedEntry;
beforeAll(async () => {
  admin = await site.as('admin');
  commentedEntry = await createCommentedEntry(site, { commentsModeration: 'first_time' });
});

const commenterCookie = ({ setCookies }: ApiResponse) =>
  setCookies.find((text) => /^(__Host-)?cms_commenter=/.test(text)) ?? '';
const headersWith = (setCookie: string) => ({ cookie: setCookie.split(';')[0] ?? '' });
const send = (authorEmail: string, setCookie?: string) =>
  commentedEntry.submit({ authorEmail }, setCookie === undefined ? {} : { headers: headersWith(setCookie) });
const approve = (id: string) => admin.put(`/admin/comments/${id}/status`, { status: 'approved' });
/** A response without the id of the comment. */
const summaryOf = ({ status, data }: ApiResponse) => [status, data.status, data.message];

/** Sends a comment and approves it. @returns the cookie of the browser */
async function sendApproved(authorEmail: string): Promise<string> {
  const response = await send(authorEmail);
  await approve(response.data.id);
  return commenterCookie(response);
}

describe('POST /comments/{collection}/{contentId} on a collection that moderates first comments', () => {
  it('returns the same response for addresses of approved comments, of users and unknown ones', async () => {
    await sendApproved('ann@known.example');
    await site.as('editor');
    const pending = summaryOf(await send('nobody@unknown.example'));
    expect(pending.slice(0, 2)).toEqual([201, 'pending']);
    expect(summaryOf(await send('ANN@known.example'))).toEqual(pending);
    expect(summaryOf(await send(`editor@${site.tenant}.example`))).toEqual(pending);
  });

  it('publishes for the browser and address of an approved comment, and for no other address', async () => {
    const cookie = await sendApproved('bea@known.example');
    expect((await send('bea@known.example', cookie)).data.status).toBe('approved');
    expect((await send('ann@known.example', cookie)).data.status).toBe('pending');
    expect((await send('other@known.example', cookie)).data.status).toBe('pending');
  });

  it('makes the cookie valid when the comment is approved, and sends the same one again', async () => {
    const first = await send('cleo@known.example');
    const second = await send('cleo@known.example', commenterCookie(first));
    expect([first.data.status, second.data.status]).toEqual(['pending', 'pending']);
    expect(headersWith(commenterCookie(second))).toEqual(headersWith(commenterCookie(first)));
    await approve(first.data.id);
    expect((await send('cleo@known.example', commenterCookie(second))).data.status).toBe('approved');
  });

  it('does not treat a guest as a user whose address was approved by mistake', async () => {
    await site.as('author');
    const cookie = await sendApproved(`author@${site.tenant}.example`);
    expect((await send(`author@${site.tenant}.example`, cookie)).data.status).toBe('pending');
  });

  it('rejects forged cookies and cookies of another comment or site', async () => {
    const cookie = await sendApproved('dora@known.example');
    const [, id = '', mac = ''] = /=(\w+)\.([\w-]+)/.exec(cookie) ?? [];
    const name = cookie.split('=')[0];
    const { data } = await send('eve@known.example');
    await approve(data.id);
    const forged = [`${id}.${'A'.repeat(43)}`, `${data.id}.${mac}`, id, `${id}.`, '.', 'x'];
    for (const value of forged)
      for (const email of ['dora@known.example', 'eve@known.example'])
        expect([value, (await send(email, `${name}=${value}`)).data.status]).toEqual([value, 'pending']);
    const otherSite = await openSite();
    try {
      const other = await createCommentedEntry(otherSite, { commentsModeration: 'first_time' });
      const submitted = await other.submit(
        { authorEmail: 'dora@known.example' },
        { headers: headersWith(cookie) },
      );
      expect(submitted.data.status).toBe('pending');
    } finally {
      await otherSite.close();
    }
  });

  it('sets an HttpOnly cookie for guests and none for signed-in commenters', async () => {
    expect(commenterCookie(await send('fay@known.example'))).toMatch(/; HttpOnly;.*SameSite=Lax/);
    expect((await commentedEntry.submit({}, { client: await site.as('subscriber') })).setCookies).toEqual([]);
  });
});
