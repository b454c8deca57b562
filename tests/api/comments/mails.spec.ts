import { beforeAll, describe, expect, it } from '@jest/globals';
import { createCommentedEntry, createEntry, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
  await createCommentedEntry(site, { commentsModeration: 'all' });
});

/** A published entry of an author of its own, and where its comments go. */
async function newArticle({ author = `author-${(count += 1)}`, data = {} } = {}) {
  const writer = await site.another('author', author);
  const entry = await createEntry(writer, 'posts', { title: `Article ${count}`, ...data });
  await entry.publish();
  const say = async (client = site.anonymous()) => {
    const body = { authorName: 'Ann', authorEmail: 'ann@guests.example', body: 'Well said indeed' };
    const headers = { 'x-real-ip': `10.9.${(count += 1) >> 8}.${count & 255}` };
    return (await client.post(`/comments/posts/${entry.id}`, body, { headers })).data;
  };
  const { slug, authorId } = entry.item as { slug: string; authorId: string };
  return { author, entry, slug, authorId, say, address: `${author}@${site.tenant}.example` };
}
const settings = (changes: object) => admin.put('/schema/collections/posts', changes);
const setStatus = (id: string, status: string) => admin.put(`/admin/comments/${id}/status`, { status });
const subjectsTo = async (address: string, expected = 0) =>
  (await site.mailsTo(address, expected)).map(({ headers }) => headers['subject'] ?? '');
/** Waits until the mail of a later comment has come: what was sent before it has come too. */
async function afterAnother() {
  const { say, address } = await newArticle();
  await setStatus((await say()).id, 'approved');
  expect(await subjectsTo(address, 1)).toHaveLength(1);
}

describe('notification mail to the author of the entry (contract 16)', () => {
  it('when a comment is published at once, which names the entry and nothing that the commenter wrote', async () => {
    await settings({ commentsModeration: 'none' });
    const { say, address, slug } = await newArticle({ data: { title: 'About <b>bees</b>' } });
    expect((await say()).status).toBe('approved');
    await settings({ commentsModeration: 'all' });
    const [mail] = await site.mailsTo(address);
    expect(mail?.headers).toMatchObject({ to: address });
    expect(mail?.text).toContain(`There is a new comment on “About <b>bees</b>” at ${site.host}.`);
    expect(mail?.html).toContain('“About &lt;b&gt;bees&lt;/b&gt;”');
    expect(mail?.link).toBe(`http://${site.host}/posts/${slug}`);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Well said|Ann|guests\.example/);
  });

  it('when a moderator approves it, once, however often they change their mind', async () => {
    const { say, address } = await newArticle();
    const { id } = await say();
    for (const status of ['spam', 'approved', 'approved', 'spam', 'pending', 'approved'])
      await setStatus(id, status);
    expect(await subjectsTo(address, 1)).toHaveLength(1);
    await afterAnother();
    expect(await subjectsTo(address)).toHaveLength(1);
  });

  it('when a moderator approves many, one for each, at the address that they have now', async () => {
    const [one, other] = [await newArticle(), await newArticle()];
    const ids = [await one.say(), await one.say(), await other.say()].map(({ id }) => id as string);
    const moved = `moved.${one.address}`;
    expect((await admin.put(`/admin/users/${one.authorId}`, { email: moved })).status).toBe(200);
    await admin.post('/admin/comments/bulk', { ids, action: 'approve' });
    expect(await subjectsTo(moved, 2)).toHaveLength(2);
    expect(await subjectsTo(other.address, 1)).toHaveLength(1);
    expect(await subjectsTo(one.address)).toEqual([]);
  });

  it('whose subject is one line, whatever the title is', async () => {
    const { say, address } = await newArticle({
      data: { title: `Long\r\nBcc: a@b.example ${'x'.repeat(300)}` },
    });
    await setStatus((await say()).id, 'approved');
    const [mail] = await site.mailsTo(address);
    expect(mail?.headers).not.toHaveProperty('bcc');
    expect(mail?.text).toContain('“Long Bcc: a@b.example xxx');
    expect(mail?.text).toContain('xxx…”');
  });

  it.each([99, 199])(
    'whose title is cut between characters, never within one: after %i letters',
    async (letters) => {
      const { say, address } = await newArticle({
        data: { title: `${'x'.repeat(letters)}${'😀'.repeat(150)}` },
      });
      const { id } = await say();
      expect((await setStatus(id, 'approved')).status).toBe(200);
      expect((await site.mailsTo(address))[0]?.text).toContain(letters === 99 ? '😀…”' : 'x…”');
    },
  );
});

describe('no notification mail', () => {
  it('for a comment of their own', async () => {
    const { say, address, author } = await newArticle();
    expect((await say(await site.another('author', author))).status).toBe('approved');
    await afterAnother();
    expect(await subjectsTo(address)).toEqual([]);
  });

  it('when the author is disabled', async () => {
    const { say, address, authorId } = await newArticle();
    expect((await admin.post(`/admin/users/${authorId}/disable`)).status).toBe(200);
    await setStatus((await say()).id, 'approved');
    await afterAnother();
    expect(await subjectsTo(address)).toEqual([]);
  });

  it('for a comment that waits, is spam or lies in the trash', async () => {
    const { say, address } = await newArticle();
    for (const status of ['pending', 'spam', 'trash']) await setStatus((await say()).id, status);
    await afterAnother();
    expect(await subjectsTo(address)).toEqual([]);
  });
});
