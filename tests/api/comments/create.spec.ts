import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCommentedEntry,
  createEntry,
  issuePaths,
  openSite,
  statusAndCode,
  useSite,
  type CommentedEntry,
} from '@quire/testing';
import { countComments, guestComment } from './support.js';

const site = useSite();
let commentedEntry: CommentedEntry;

beforeAll(async () => {
  commentedEntry = await createCommentedEntry(site);
});

const stored = async (id: string) => {
  const [row] = await site.sql('SELECT * FROM comments WHERE id = $1', [id]);
  return row;
};

describe('POST /comments/{collection}/{contentId} by a guest', () => {
  it('stores a pending comment with trimmed fields', async () => {
    const response = await commentedEntry.submit({
      authorName: ' Ann ',
      authorEmail: ' Ann@Guests.Example ',
      body: ' Hi\r\nyou ',
    });
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      status: 'pending',
      message: 'Your comment waits for approval',
    });
    expect(await stored(response.data.id)).toMatchObject({
      collection: 'posts',
      content_id: commentedEntry.entry.id,
      author_name: 'Ann',
      author_email: 'ann@guests.example',
      author_user_id: null,
      body: 'Hi\nyou',
      parent_id: null,
    });
  });

  it('stores the body as plain text, markup included', async () => {
    const body = '<script>alert(1)</script> &amp; **bold** 👩‍👩‍👧 \tשלום\nend';
    const { data } = await commentedEntry.submit({ body });
    expect(await stored(data.id)).toMatchObject({ body });
  });

  it('stores a salted hash of the client address, never the address', async () => {
    const [first, second, third] = [
      await commentedEntry.submit({}, { address: '203.0.113.7' }),
      await commentedEntry.submit({}, { address: '203.0.113.7' }),
      await commentedEntry.submit({}, { address: '203.0.113.8' }),
    ];
    const rows = [await stored(first.data.id), await stored(second.data.id), await stored(third.data.id)];
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
    const [one, same, other] = rows.map((row) => row?.['ip_hash']);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
    const neighbour = await openSite();
    const elsewhere = await (await createCommentedEntry(neighbour)).submit({}, { address: '203.0.113.7' });
    const [foreign] = await neighbour.sql('SELECT ip_hash FROM comments WHERE id = $1', [elsewhere.data.id]);
    expect(foreign?.['ip_hash']).not.toBe(one);
    await neighbour.close();
  });

  it('stores different hashes for two addresses of one IPv6 network', async () => {
    const hashOf = async (address: string) =>
      (await stored((await commentedEntry.submit({}, { address })).data.id))?.['ip_hash'];
    const [one, same, other] = [
      await hashOf('2001:db8:7::1'),
      await hashOf('2001:0db8:7:0::1'),
      await hashOf('2001:db8:7::2'),
    ];
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('stores the hash of the connection without an address from a trusted proxy (decision 54)', async () => {
    const hashOf = async (address: string | null) =>
      (await stored((await commentedEntry.submit({}, { address })).data.id))?.['ip_hash'];
    const connected = await hashOf(null);
    expect(connected).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf('nonsense')).toBe(connected);
  });
});

describe('POST /comments/{collection}/{contentId} with invalid input', () => {
  it.each<[string, object, string]>([
    ['no name', { authorName: undefined }, 'authorName'],
    ['an empty name', { authorName: ' ' }, 'authorName'],
    ['an invisible name', { authorName: '\u200b\u2060' }, 'authorName'],
    ['a name over 100 characters', { authorName: 'x'.repeat(101) }, 'authorName'],
    ['a name of two lines', { authorName: 'a\nb' }, 'authorName'],
    ['no e-mail address', { authorEmail: undefined }, 'authorEmail'],
    ['a malformed e-mail address', { authorEmail: 'ann' }, 'authorEmail'],
    ['an e-mail address over 254 characters', { authorEmail: `${'a'.repeat(250)}@x.example` }, 'authorEmail'],
    ['no text', { body: undefined }, 'body'],
    ['an empty text', { body: '\n \t' }, 'body'],
    ['a text over 5000 characters', { body: 'x'.repeat(5001) }, 'body'],
    ['a control character', { body: 'a\u0007b' }, 'body'],
    ['U+0000', { body: 'a\u0000b' }, 'body'],
    ['DEL', { body: 'a\u007fb' }, 'body'],
    ['half a character', { body: 'a\ud800b' }, 'body'],
    ['a parent id of the wrong type', { parentId: 7 }, 'parentId'],
    ['a captcha token over 2048 characters', { turnstileToken: 'x'.repeat(2049) }, 'turnstileToken'],
  ])('returns 400 VALIDATION_ERROR for %s', async (_, input, path) => {
    const before = await countComments(site);
    const response = await commentedEntry.submit(input);
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
    expect(await countComments(site)).toBe(before);
  });

  it('accepts values of the maximum lengths', async () => {
    const response = await commentedEntry.submit({ authorName: 'x'.repeat(100), body: 'x'.repeat(5000) });
    expect(response.status).toBe(201);
  });
});

describe('POST /comments/{collection}/{contentId} on entries that accept no comments', () => {
  const submitTo = (path: string) => site.anonymous().post(path, guestComment);

  it('returns 404 for an unknown collection', async () => {
    expect(statusAndCode(await submitTo(`/comments/nothing/${commentedEntry.entry.id}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it('returns 404 for an unknown entry and for an entry of another collection', async () => {
    const admin = await site.as('admin');
    await site.collection({ slug: 'pages' });
    await admin.put('/schema/collections/pages', { commentsEnabled: true });
    expect(statusAndCode(await submitTo('/comments/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV'))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(statusAndCode(await submitTo(`/comments/pages/${commentedEntry.entry.id}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it('returns 404 for a draft, an unpublished and a trashed entry', async () => {
    const admin = await site.as('admin');
    const draft = await createEntry(admin);
    const withdrawn = await createEntry(admin);
    await withdrawn.publish();
    expect((await submitTo(`/comments/posts/${withdrawn.id}`)).status).toBe(201);
    await withdrawn.unpublish();
    const trashed = await createEntry(admin);
    await trashed.publish();
    await trashed.remove();
    for (const { id } of [draft, withdrawn, trashed])
      expect(statusAndCode(await submitTo(`/comments/posts/${id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns 404 for the slug of a published entry', async () => {
    expect(statusAndCode(await submitTo(`/comments/posts/${commentedEntry.entry.item.slug}`))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it('returns 403 COMMENTS_DISABLED as soon as the collection disables comments', async () => {
    await commentedEntry.settings({ commentsEnabled: false });
    expect(statusAndCode(await commentedEntry.submit())).toEqual([403, 'COMMENTS_DISABLED']);
    await commentedEntry.settings({ commentsEnabled: true });
    expect((await commentedEntry.submit()).status).toBe(201);
  });

  it('returns 403 COMMENTS_CLOSED after commentsClosedAfterDays, unless that is 0', async () => {
    const publish = (days: number) =>
      site.sql(
        `UPDATE content_posts SET published_at = now() - make_interval(days => $1, mins => 1) WHERE id = $2`,
        [days, commentedEntry.entry.id],
      );
    await publish(90);
    expect(statusAndCode(await commentedEntry.submit())).toEqual([403, 'COMMENTS_CLOSED']);
    await commentedEntry.settings({ commentsClosedAfterDays: 91 });
    expect((await commentedEntry.submit()).status).toBe(201);
    await publish(4000);
    await commentedEntry.settings({ commentsClosedAfterDays: 0 });
    expect((await commentedEntry.submit()).status).toBe(201);
    await commentedEntry.settings({ commentsClosedAfterDays: 1_000_000 });
    expect((await commentedEntry.submit()).status).toBe(201);
  });
});

describe('POST /comments/{collection}/{contentId} with parentId', () => {
  it('stores a reply to a reply under the same root', async () => {
    const root = await commentedEntry.comment();
    const reply = await commentedEntry.comment({ parentId: root });
    const deeper = await commentedEntry.comment({ parentId: reply });
    expect(await stored(reply)).toMatchObject({ parent_id: root });
    expect(await stored(deeper)).toMatchObject({ parent_id: root });
  });

  it('returns 400 VALIDATION_ERROR for an unknown parent and for one of another entry', async () => {
    const other = await createCommentedEntry(site);
    const elsewhere = await other.comment();
    for (const parentId of ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '', elsewhere]) {
      const response = await commentedEntry.submit({ parentId });
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['parentId'],
      ]);
    }
  });

  it('leaves no reply without its root when it races with the deletion of the root', async () => {
    const admin = await site.as('admin');
    const roots = await Promise.all([1, 2, 3, 4, 5].map(() => commentedEntry.comment()));
    const responses = await Promise.all(
      roots.flatMap((parentId) => [
        commentedEntry.submit({ parentId }),
        admin.delete(`/admin/comments/${parentId}`),
      ]),
    );
    expect(responses.filter(({ status }) => ![200, 201, 400].includes(status))).toEqual([]);
    expect(await site.sql('SELECT 1 FROM comments WHERE parent_id = ANY($1)', [roots])).toEqual([]);
  });
});

describe('spam protection of POST /comments/{collection}/{contentId}', () => {
  it('returns 200 without an id and stores nothing when the hidden field is filled in', async () => {
    const before = await countComments(site);
    const response = await commentedEntry.submit({ website_url: 'https://shop.example' });
    expect([response.status, response.data]).toEqual([
      200,
      { status: 'pending', message: 'Your comment waits for approval' },
    ]);
    expect(await countComments(site)).toBe(before);
    expect((await commentedEntry.submit({ website_url: '' })).status).toBe(201);
  });

  it('marks a comment with more than three links as spam, also without moderation', async () => {
    await commentedEntry.settings({ commentsModeration: 'none' });
    const links = ['https://a.example', 'http://b.example/x', 'www.c.example'];
    expect((await commentedEntry.submit({ body: links.join(' ') })).data.status).toBe('approved');
    const { data } = await commentedEntry.submit({ body: `${links.join(' ')} HTTPS://www.d.example` });
    expect(data.status).toBe('spam');
    expect(await stored(data.id)).toMatchObject({
      moderation_metadata: { reason: 'too_many_links', links: 4 },
    });
    await commentedEntry.settings({ commentsModeration: 'first_time' });
  });
});

describe('cross-site POST /comments/{collection}/{contentId} (document 1, Comments; contract 4)', () => {
  const submitWith = (headers: Record<string, string>) =>
    site.anonymous().post(commentedEntry.path, guestComment, {
      headers: { 'x-real-ip': `198.51.100.${Math.floor(Math.random() * 250)}`, ...headers },
    });

  it.each([
    ['from a foreign page', { origin: 'https://evil.example' }],
    ['from a sandboxed page', { origin: 'null' }],
    ['with a session and no header', { cookie: 'cms_session=x' }],
  ])('returns 403 CSRF_REJECTED %s', async (_, headers) => {
    expect(statusAndCode(await submitWith(headers))).toEqual([403, 'CSRF_REJECTED']);
  });

  it('returns 201 with X-CMS-Request and for the own origin', async () => {
    expect((await submitWith({ origin: 'https://evil.example', 'x-cms-request': '1' })).status).toBe(201);
    expect((await submitWith({ origin: `http://${site.host}` })).status).toBe(201);
  });
});
