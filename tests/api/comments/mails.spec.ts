import { beforeAll, describe, expect, it } from '@jest/globals';
import { createCommentedEntry, createEntry, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let count = 0;

beforeAll(async () => {
  admin = await site.as('admin');
  await createCommentedEntry(site, { commentsModeration: 'all' });
});

/** Publishes an entry of a new author. @returns it, and a function that submits a comment on it */
async function newArticle({ author = `author-${(count += 1)}`, data = {} } = {}) {
  const writer = await site.another('author', author);
  const entry = await createEntry(writer, 'posts', { title: `Article ${count}`, ...data });
  await entry.publish();
  const submit = async (client = site.anonymous()) => {
    const body = { authorName: 'Ann', authorEmail: 'ann@guests.example', body: 'Well said indeed' };
    const headers = { 'x-real-ip': `10.9.${(count += 1) >> 8}.${count & 255}` };
    return (await client.post(`/comments/posts/${entry.id}`, body, { headers })).data;
  };
  const { slug, authorId } = entry.item as { slug: string; authorId: string };
  return { author, entry, slug, authorId, submit, address: `${author}@${site.tenant}.example` };
}
const settings = (changes: object) => admin.put('/schema/collections/posts', changes);
const setStatus = (id: string, status: string) => admin.put(`/admin/comments/${id}/status`, { status });
const subjectsTo = async (address: string, expected = 0) =>
  (await site.mailsTo(address, expected)).map(({ headers }) => headers['subject'] ?? '');
/** Waits for the mail of a later comment: mails that were sent before it have arrived by then. */
async function waitForLaterMail() {
  const { submit, address } = await newArticle();
  await setStatus((await submit()).id, 'approved');
  expect(await subjectsTo(address, 1)).toHaveLength(1);
}

describe('notification mail to the author of an entry (contract 16)', () => {
  it('is sent for an auto-approved comment, and contains nothing that the commenter wrote', async () => {
    await settings({ commentsModeration: 'none' });
    const { submit, address, slug } = await newArticle({ data: { title: 'About <b>bees</b>' } });
    expect((await submit()).status).toBe('approved');
    await settings({ commentsModeration: 'all' });
    const [mail] = await site.mailsTo(address);
    expect(mail?.headers).toMatchObject({ to: address });
    expect(mail?.text).toContain(`There is a new comment on “About <b>bees</b>” at ${site.host}.`);
    expect(mail?.html).toContain('“About &lt;b&gt;bees&lt;/b&gt;”');
    expect(mail?.link).toBe(`http://${site.host}/posts/${slug}`);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Well said|Ann|guests\.example/);
  });

  it('is sent once for repeated approvals of one comment', async () => {
    const { submit, address } = await newArticle();
    const { id } = await submit();
    for (const status of ['spam', 'approved', 'approved', 'spam', 'pending', 'approved'])
      await setStatus(id, status);
    expect(await subjectsTo(address, 1)).toHaveLength(1);
    await waitForLaterMail();
    expect(await subjectsTo(address)).toHaveLength(1);
  });

  it('is sent for each comment of a bulk approval, to the current address of the author', async () => {
    const [one, other] = [await newArticle(), await newArticle()];
    const ids = [await one.submit(), await one.submit(), await other.submit()].map(({ id }) => id as string);
    const moved = `moved.${one.address}`;
    expect((await admin.put(`/admin/users/${one.authorId}`, { email: moved })).status).toBe(200);
    await admin.post('/admin/comments/bulk', { ids, action: 'approve' });
    expect(await subjectsTo(moved, 2)).toHaveLength(2);
    expect(await subjectsTo(other.address, 1)).toHaveLength(1);
    expect(await subjectsTo(one.address)).toEqual([]);
  });

  it('has no header injection from the title, and truncates the title', async () => {
    const { submit, address } = await newArticle({
      data: { title: `Long\r\nBcc: a@b.example ${'x'.repeat(300)}` },
    });
    await setStatus((await submit()).id, 'approved');
    const [mail] = await site.mailsTo(address);
    expect(mail?.headers).not.toHaveProperty('bcc');
    expect(mail?.text).toContain('“Long Bcc: a@b.example xxx');
    expect(mail?.text).toContain('xxx…”');
  });

  it.each([99, 199])('truncates the title between characters after %i letters', async (letters) => {
    const { submit, address } = await newArticle({
      data: { title: `${'x'.repeat(letters)}${'😀'.repeat(150)}` },
    });
    const { id } = await submit();
    expect((await setStatus(id, 'approved')).status).toBe(200);
    expect((await site.mailsTo(address))[0]?.text).toContain(letters === 99 ? '😀…”' : 'x…”');
  });
});

describe('no notification mail is sent', () => {
  it('for a comment of the author', async () => {
    const { submit, address, author } = await newArticle();
    expect((await submit(await site.another('author', author))).status).toBe('approved');
    await waitForLaterMail();
    expect(await subjectsTo(address)).toEqual([]);
  });

  it('when the author is disabled', async () => {
    const { submit, address, authorId } = await newArticle();
    expect((await admin.post(`/admin/users/${authorId}/disable`)).status).toBe(200);
    await setStatus((await submit()).id, 'approved');
    await waitForLaterMail();
    expect(await subjectsTo(address)).toEqual([]);
  });

  it('for a pending, spam or trashed comment', async () => {
    const { submit, address } = await newArticle();
    for (const status of ['pending', 'spam', 'trash']) await setStatus((await submit()).id, status);
    await waitForLaterMail();
    expect(await subjectsTo(address)).toEqual([]);
  });
});
