import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  createImage,
  issuePaths,
  itemOf,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let author: Client;
beforeAll(async () => {
  [admin, author] = [await site.as('admin'), await site.as('author')];
  await site.collection();
});

// Tests read rows freely; their expectations are the type check.
type Row = ApiResponse['data'];
let collections = 0;

/** Creates a collection of its own for a test. */
async function openCollection(input: Parameters<typeof site.collection>[0] = {}): Promise<string> {
  collections += 1;
  return (await site.collection({ slug: `things_${collections}`, ...input })).slug;
}
const list = (collection: string, query = '', client = admin) =>
  client.get(`/panel/entries/${collection}?${query}`);
const rows = async (...request: Parameters<typeof list>): Promise<Row[]> =>
  (await list(...request)).data.items;
const titles = async (...request: Parameters<typeof list>) =>
  (await rows(...request)).map(({ title }) => title);
const create = (collection: string, title: string, more: object = {}, client = admin) =>
  createEntry(client, collection, { title }, more);

describe('GET /panel/entries/{collection}', () => {
  it('shows the draft over the live values: title, slug, columns and search', async () => {
    const collection = await openCollection();
    const entry = await create(collection, 'Old name', { slug: 'old' });
    await entry.publish();
    await entry.put({ data: { title: 'New name', body: 'new' }, slug: 'new' });
    const [row] = await rows(collection, 'columns=body');
    expect(row).toMatchObject({
      id: entry.id,
      title: 'New name',
      slug: 'new',
      status: 'published',
      isChanged: true,
      columns: { body: 'new' },
    });
    expect(await titles(collection, 'q=new%20na')).toEqual(['New name']);
    expect(await titles(collection, 'q=old%20na')).toEqual(['New name']);
    expect(await titles(collection, 'q=other')).toEqual([]);
    await entry.publish();
    expect(await rows(collection)).toMatchObject([{ title: 'New name', isChanged: false }]);
    expect(await titles(collection, 'q=old%20na')).toEqual([]);
  });

  it('does not find a draft that was discarded', async () => {
    const collection = await openCollection();
    const entry = await create(collection, 'Kept');
    await entry.publish();
    await entry.put({ data: { title: 'Dropped' } });
    await entry.discard();
    expect(await titles(collection, 'q=dropped')).toEqual([]);
    expect(await rows(collection)).toMatchObject([{ title: 'Kept', isChanged: false }]);
  });

  it('takes the title of the title field, else of title, else of name, and finds drafts by it', async () => {
    const named = await openCollection({ fields: [{ slug: 'name', type: 'string' }] });
    const path = `/content/${named}`;
    const { id } = itemOf(await admin.post(path, { data: { name: 'First' } }));
    await admin.post(`${path}/${id}/publish`);
    await admin.put(`${path}/${id}`, { data: { name: 'Second' } });
    expect(await titles(named, 'q=second')).toEqual(['Second']);
    await admin.post(`/schema/collections/${named}/fields`, { slug: 'code', label: 'Code', type: 'string' });
    await admin.put(`${path}/${id}`, { data: { code: 'X-7' } });
    expect(await titles(named, 'q=x-7')).toEqual([]);
    await admin.put(`/schema/collections/${named}`, { titleField: 'code' });
    expect(await titles(named, 'q=x-7')).toEqual(['X-7']);
  });

  it('has the title null for an entry without one', async () => {
    const collection = await openCollection();
    await admin.post(`/content/${collection}`, { data: { body: 'x' } });
    expect(await titles(collection)).toEqual([null]);
  });

  it('orders by the last edit, staging included, which updatedAt does not show', async () => {
    const collection = await openCollection();
    const first = await create(collection, 'First');
    await first.publish();
    const { updatedAt } = (await first.get()).item;
    const second = await create(collection, 'Second');
    expect(await titles(collection)).toEqual(['Second', 'First']);
    await first.put({ data: { title: 'First again' } });
    const [edited] = await rows(collection);
    expect(edited).toMatchObject({ title: 'First again', publishedAt: updatedAt });
    expect(Date.parse(edited.editedAt)).toBeGreaterThan(Date.parse(updatedAt));
    expect(await titles(collection, 'order=asc')).toEqual(['Second', 'First again']);
    expect(await titles(collection, 'orderBy=createdAt')).toEqual(['Second', 'First again']);
    expect(await titles(collection, `dateField=editedAt&dateFrom=${edited.editedAt}`)).toEqual([
      'First again',
    ]);
    expect((await second.get()).item.id).toBeTruthy();
  });

  it('returns pages in order, each entry once, and rejects the cursor of another view', async () => {
    const collection = await openCollection();
    for (const title of ['1', '2', '3', '4', '5']) await create(collection, title);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { items, nextCursor, total } = (await list(collection, `limit=2${cursor}`)).data;
      expect(total).toBe(cursor === '' ? 5 : undefined);
      seen.push(...items.map(({ title }: Row) => title));
      cursor = nextCursor ? `&cursor=${nextCursor}` : '';
      if (cursor !== '')
        expect(statusAndCode(await list(collection, `limit=2&view=draft${cursor}`))).toEqual([
          400,
          'INVALID_CURSOR',
        ]);
    } while (cursor !== '');
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  it('names author, bylines, translations and the holder of the lock', async () => {
    const collection = await openCollection();
    const mine = await create(collection, 'Mine', { locale: 'en' }, author);
    const german = itemOf(
      await admin.post(`/content/${collection}`, {
        data: { title: 'Meins' },
        locale: 'de',
        translationOf: mine.id,
      }),
    );
    const byline = (await admin.post('/admin/bylines', { slug: 'ann', displayName: 'Ann Lee' })).data;
    await mine.put({ bylines: [{ bylineId: byline.id }] });
    await admin.put(`/schema/collections/${collection}`, { editLocking: true });
    await author.post(`${mine.path}/lock`, {});
    const [row] = await rows(collection, 'locale=en');
    const { userId } = row.lock;
    expect(row).toMatchObject({
      locale: 'en',
      author: { id: userId },
      bylines: ['Ann Lee'],
      translations: [{ id: german.id, locale: 'de', status: 'draft', isChanged: false }],
      lock: { userId, expiresAt: expect.any(String) },
    });
    expect(JSON.stringify(row.author)).not.toContain('@');
    expect(await rows(collection, 'locale=de')).toMatchObject([
      { title: 'Meins', lock: null, translations: [{ id: mine.id, locale: 'en' }] },
    ]);
  });

  it('shortens the values of columns, and counts those that are lists', async () => {
    const target = await openCollection();
    const [one, two] = [await create(target, 'One'), await create(target, 'Two')];
    const collection = await openCollection({
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'words', type: 'text' },
        { slug: 'story', type: 'portableText' },
        { slug: 'price', type: 'number' },
        { slug: 'open', type: 'boolean' },
        { slug: 'at', type: 'datetime' },
        { slug: 'tags', type: 'multiSelect', validation: { options: ['a', 'b'] } },
        { slug: 'raw', type: 'json' },
        {
          slug: 'rows',
          type: 'repeater',
          validation: { subFields: [{ slug: 'x', label: 'X', type: 'string' }] },
        },
        { slug: 'related', type: 'reference', validation: { targetCollection: target, multiple: true } },
        { slug: 'empty', type: 'string' },
      ],
    });
    const text = 'long '.repeat(100);
    const span = { _type: 'span', _key: 's', text, marks: [] };
    const entry = await createEntry(
      admin,
      collection,
      {
        title: 'All',
        body: undefined,
        words: text,
        story: [{ _type: 'block', _key: 'b', style: 'normal', markDefs: [], children: [span] }],
        price: 2.5,
        open: true,
        at: '2026-01-02T03:04:05Z',
        tags: ['a', 'b'],
        raw: { deep: [1] },
        rows: [{ x: '1' }, { x: '2' }, { x: '3' }],
      },
      { references: { related: [one.id, two.id] } },
    );
    const columns = ['words,story,price,open,at,tags,raw,rows', 'related,empty'];
    const cells = async () => {
      const shown = await Promise.all(columns.map((slugs) => rows(collection, `columns=${slugs}`)));
      return Object.assign({}, ...shown.map(([row]) => row.columns)) as Record<string, unknown>;
    };
    const expected = {
      words: text.slice(0, 200),
      story: text.slice(0, 200),
      price: 2.5,
      open: true,
      at: '2026-01-02T03:04:05.000Z',
      tags: ['a', 'b'],
      raw: '{"deep":[1]}',
      rows: 3,
      related: 2,
      empty: null,
    };
    expect(await cells()).toEqual(expected);
    await entry.publish();
    await entry.put({ data: { price: 3, raw: { deep: [2] } }, references: { related: [two.id] } });
    expect(await cells()).toEqual({ ...expected, price: 3, raw: '{"deep":[2]}', related: 1 });
  });

  it('has the first image of an entry with its address, and none without one', async () => {
    const collection = await openCollection({
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'hero', type: 'image' },
        { slug: 'paper', type: 'file' },
      ],
    });
    const media = itemOf(
      await uploadFile(admin, { bytes: await createImage(), type: 'image/png' }, { alt: 'A hat' }),
    );
    const paper = { provider: 'local', id: media.id };
    const entry = await createEntry(admin, collection, {
      title: 'With',
      body: undefined,
      hero: { provider: 'local', id: media.id },
      paper,
    });
    const [row] = await rows(collection, 'columns=hero,paper');
    expect(row.image).toEqual({ src: expect.stringContaining('/'), alt: 'A hat' });
    expect(row.columns).toEqual({ hero: row.image, paper: media.filename });
    await entry.put({ data: { hero: null, paper: null } });
    expect(await rows(collection, 'columns=hero,paper')).toMatchObject([
      { image: null, columns: { hero: null, paper: null } },
    ]);
  });

  it('rejects columns that are no fields, more than eight, and an unknown view or order', async () => {
    const pathsOf = async (query: string) => issuePaths(await list('posts', query));
    expect(await pathsOf('columns=title,nothing')).toEqual(['columns']);
    expect(await pathsOf(`columns=${'abcdefghi'.split('').join(',')}`)).toEqual(['columns']);
    expect(await pathsOf('view=secret')).toEqual(['view']);
    expect(await pathsOf('orderBy=secret')).toEqual(['orderBy']);
    expect(await pathsOf('view=mine&authorId=x')).toEqual(['authorId']);
    expect(statusAndCode(await list('nothing'))).toEqual([404, 'COLLECTION_NOT_FOUND']);
  });

  it('needs the permission to read drafts, and for tokens the scope admin', async () => {
    const outcomes = async (client: Client) =>
      Promise.all(
        ['', '/counts'].map(async (path) => statusAndCode(await client.get(`/panel/entries/posts${path}`))),
      );
    expect((await outcomes(await site.as('contributor'))).map(([status]) => status)).toEqual([200, 200]);
    expect((await outcomes(await site.signedIn('author'))).map(([status]) => status)).toEqual([200, 200]);
    expect(await outcomes(await site.as('subscriber'))).toEqual([
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
    ]);
    expect(await outcomes(await site.withScopes('admin', ['content:read']))).toEqual([
      [403, 'INSUFFICIENT_SCOPE'],
      [403, 'INSUFFICIENT_SCOPE'],
    ]);
    expect(await outcomes(site.anonymous())).toEqual([
      [401, 'NOT_AUTHENTICATED'],
      [401, 'NOT_AUTHENTICATED'],
    ]);
  });

  it('returns and counts nothing of another site', async () => {
    await create('posts', 'Ours');
    const other = await openSite();
    try {
      await other.collection();
      const stranger = await other.as('admin');
      expect((await stranger.get('/panel/entries/posts')).data).toEqual({ items: [], total: 0 });
      expect((await stranger.get('/panel/entries/posts/counts')).data.all).toBe(0);
    } finally {
      await other.close();
    }
  });
});

describe('the views of a collection', () => {
  /** A collection with entries in each state, by title. */
  async function openStates(): Promise<string> {
    const collection = await openCollection();
    await create(collection, 'draft');
    await create(collection, 'mine', {}, author);
    await (await create(collection, 'published')).publish();
    const changed = await create(collection, 'live');
    await changed.publish();
    await changed.put({ data: { title: 'changed' } });
    await (await create(collection, 'scheduled')).schedule();
    const overdue = await create(collection, 'overdue');
    await overdue.schedule();
    const both = await create(collection, 'republished');
    await both.publish();
    await both.put({ data: { title: 'changed and scheduled' } });
    await both.schedule();
    await (await create(collection, 'trash')).remove();
    // As of a worker that has not run for two minutes; the schedule itself stays in the far future.
    await site.sql(
      `UPDATE content_${collection} SET scheduled_at = now() - interval '2 minutes' WHERE id = '${overdue.id}'`,
    );
    return collection;
  }

  it('have the entries of each state, and their counts', async () => {
    const collection = await openStates();
    const view = (name: string) => titles(collection, `view=${name}&orderBy=createdAt&order=asc`, author);
    const live = ['draft', 'mine', 'published', 'changed', 'scheduled', 'overdue', 'changed and scheduled'];
    expect(await view('all')).toEqual(live);
    expect(await view('draft')).toEqual(['draft', 'mine']);
    expect(await view('published')).toEqual(['published', 'changed', 'changed and scheduled']);
    expect(await view('changed')).toEqual(['changed', 'changed and scheduled']);
    expect(await view('scheduled')).toEqual(['scheduled', 'overdue', 'changed and scheduled']);
    expect(await view('overdue')).toEqual(['overdue']);
    expect(await view('mine')).toEqual(['mine']);
    expect(await view('trash')).toEqual(['trash']);
    expect((await author.get(`/panel/entries/${collection}/counts`)).data).toEqual({
      all: 7,
      draft: 2,
      published: 3,
      changed: 2,
      scheduled: 3,
      overdue: 1,
      mine: 1,
      trash: 1,
    });
  });

  it('have the total of their entries on the first page', async () => {
    const collection = await openStates();
    for (const [view, total] of Object.entries({
      all: 7,
      changed: 2,
      scheduled: 3,
      overdue: 1,
      mine: 1,
      trash: 1,
    }))
      expect([view, (await list(collection, `view=${view}`, author)).data.total]).toEqual([view, total]);
    expect((await list(collection, 'view=changed&q=scheduled')).data.total).toBe(1);
    expect((await list(collection, 'view=trash&q=scheduled')).data.total).toBe(0);
  });

  it('mark what is overdue, and when an entry was deleted', async () => {
    const collection = await openStates();
    const marks = (await rows(collection, 'view=scheduled&orderBy=createdAt&order=asc')).map(
      ({ isOverdue }) => isOverdue,
    );
    expect(marks).toEqual([false, true, false]);
    const [trashed] = await rows(collection, 'view=trash');
    expect(trashed.deletedAt).toMatch(/Z$/);
    expect((await rows(collection))[0]).not.toHaveProperty('deletedAt');
  });

  it('order the trash by the time of deletion, or by another column', async () => {
    const collection = await openCollection();
    const [first, second] = [await create(collection, 'first'), await create(collection, 'second')];
    await second.remove();
    await first.remove();
    expect(await titles(collection, 'view=trash')).toEqual(['first', 'second']);
    expect(await titles(collection, 'view=trash&orderBy=createdAt')).toEqual(['second', 'first']);
    const { nextCursor } = (await list(collection, 'view=trash&limit=1')).data;
    expect(await titles(collection, `view=trash&limit=1&cursor=${nextCursor}`)).toEqual(['second']);
  });

  it('can be limited to a locale, and count only its entries then', async () => {
    const collection = await openStates();
    const german = await create(collection, 'deutsch', { locale: 'de' });
    await german.publish();
    expect(await titles(collection, 'view=published&locale=de')).toEqual(['deutsch']);
    const { all, published, draft, trash } = (
      await admin.get(`/panel/entries/${collection}/counts?locale=DE`)
    ).data;
    expect([all, published, draft, trash]).toEqual([1, 1, 0, 0]);
  });

  it('take the filters of a list of entries', async () => {
    const collection = await openCollection({
      fields: [
        { slug: 'title', type: 'string' },
        { slug: 'kind', type: 'select', indexed: true, validation: { options: ['a', 'b'] } },
      ],
    });
    for (const kind of ['a', 'b'])
      await createEntry(admin, collection, { title: kind, body: undefined, kind });
    const filter = (filters: object) => `fieldFilters=${encodeURIComponent(JSON.stringify(filters))}`;
    expect(await titles(collection, filter({ kind: 'b' }))).toEqual(['b']);
    expect(
      await titles(collection, `view=draft&${filter({ kind: { in: ['a', 'b'] } })}&orderBy=kind&order=asc`),
    ).toEqual(['a', 'b']);
    expect(issuePaths(await list(collection, filter({ title: 'a' })))).toEqual(['fieldFilters.title']);
  });
});
