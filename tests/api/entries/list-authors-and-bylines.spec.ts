import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  idsOf,
  issuePaths,
  itemOf,
  statusAndCode,
  useSite,
  walkPages,
  type Client,
} from '@quire/testing';
import { type ListedEntry } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'others' });
});

describe('bylines in GET /content/{collection}', () => {
  const created: Record<string, string> = {};
  const ids: Record<string, string> = {};
  const idOf = (name: string) => ids[name] ?? name;
  beforeAll(async () => {
    await site.collection({ slug: 'stories' });
    await site.collection({ slug: 'credited' });
    const byline = async (name: string, body: object) => {
      const { id, translationGroup } = (await admin.post('/admin/bylines', { slug: name, ...body })).data;
      ids[name] = id;
      ids[`group of ${name}`] = translationGroup;
    };
    await byline('ann', { displayName: 'Ann' });
    await byline('anne', { displayName: 'Anne', locale: 'de', translationOf: idOf('ann') });
    await byline('bob', { displayName: 'Bob' });
    const editor = await site.as('editor');
    const create = async (name: string, more: object, client = admin) => {
      created[name] = (
        await client.post('/content/stories', { data: { title: name }, ...more })
      ).data.item.id;
    };
    await create('ann', { bylines: [{ bylineId: idOf('ann'), roleLabel: 'Words' }] });
    await create('german', { bylines: [{ bylineId: idOf('group of ann') }], locale: 'de' });
    await create('both', {
      bylines: [{ bylineId: idOf('bob') }, { bylineId: idOf('anne') }, { bylineId: idOf('ann') }],
    });
    await create('none', {});
    await create('inferred', {}, editor);
    const { item } = (await admin.get(`/content/stories/${created['inferred'] ?? ''}`)).data;
    await byline('ed', { displayName: 'Ed', userId: item.authorId });
  });
  const named = (query: string) =>
    admin
      .get(`/content/stories?${query}`)
      .then(({ data }) => new Set((data.items as ListedEntry[]).map(({ data: { title } }) => title)));

  it.each([
    [['ann'], ['ann', 'german', 'both']],
    [['group of ann'], ['ann', 'german', 'both']],
    [['bob'], ['both']],
    [
      ['bob', 'anne'],
      ['ann', 'german', 'both'],
    ],
    [['ed'], []],
    [['unknown'], []],
  ])('bylines=%j returns the entries that credit one of them', async (names, expected) => {
    expect(await named(`bylines=${names.map(idOf).join(',')}`)).toEqual(new Set(expected));
  });
  it('includes inferred credits only with includeInferredBylines', async () => {
    expect(await named(`bylines=${idOf('ed')}&includeInferredBylines=1`)).toEqual(new Set(['inferred']));
    expect(await named(`bylines=${idOf('group of ed')}&includeInferredBylines=true`)).toEqual(
      new Set(['inferred']),
    );
  });
  it('bylines=none returns entries without an explicit credit, with includeInferredBylines also without an inferred one', async () => {
    expect(await named('bylines=none')).toEqual(new Set(['none', 'inferred']));
    expect(await named('bylines=none&includeInferredBylines=1')).toEqual(new Set(['none']));
  });
  it('are returned in order, without duplicates, in the locale of the entry', async () => {
    const read = async (name: string) =>
      (await admin.get(`/content/stories/${created[name] ?? ''}`)).data.item;
    const ann = await read('ann');
    expect(ann).toMatchObject({
      primaryBylineId: idOf('group of ann'),
      byline: { id: idOf('ann'), displayName: 'Ann' },
    });
    expect(ann.bylines).toEqual([
      { byline: ann.byline, sortOrder: 0, roleLabel: 'Words', source: 'explicit' },
    ]);
    expect((await read('german')).byline).toMatchObject({
      id: idOf('anne'),
      displayName: 'Anne',
      locale: 'de',
    });
    expect((await read('both')).bylines.map(({ byline }: { byline: { id: string } }) => byline.id)).toEqual([
      idOf('bob'),
      idOf('ann'),
    ]);
    expect((await read('inferred')).bylines).toEqual([
      expect.objectContaining({ source: 'inferred', sortOrder: 0 }),
    ]);
    expect((await read('none')).bylines).toEqual([]);
  });
  it('are replaced as a whole without a draft, and removed by an empty list', async () => {
    const entry = await createEntry(admin, 'credited', {}, { bylines: [{ bylineId: idOf('bob') }] });
    await entry.publish();
    const item = itemOf(await entry.put({ bylines: [{ bylineId: idOf('ann') }] }));
    expect([item.primaryBylineId, item.bylines.length, item.draftRevisionId]).toEqual([
      idOf('group of ann'),
      1,
      null,
    ]);
    const cleared = itemOf(await entry.put({ bylines: [] }));
    expect([cleared.primaryBylineId, cleared.byline, cleared.bylines]).toEqual([null, null, []]);
  });
  it('are copied to a duplicate and to a translation without bylines', async () => {
    const entry = await createEntry(admin, 'credited', {}, { bylines: [{ bylineId: idOf('ann') }] });
    expect(itemOf(await entry.duplicate()).bylines).toHaveLength(1);
    const translation = await createEntry(admin, 'credited', {}, { translationOf: entry.id, locale: 'fr' });
    expect(translation.item.primaryBylineId).toBe(idOf('group of ann'));
  });
  it('are deleted with the permanent deletion of an entry', async () => {
    const entry = await createEntry(admin, 'credited', {}, { bylines: [{ bylineId: idOf('ann') }] });
    await entry.remove();
    expect(await site.sql('SELECT 1 FROM entry_bylines WHERE entry_id = $1', [entry.id])).toHaveLength(1);
    await admin.delete(`${entry.path}/permanent`);
    expect(await site.sql('SELECT 1 FROM entry_bylines WHERE entry_id = $1', [entry.id])).toEqual([]);
  });
  it('return 400 and change nothing when one of them is unknown', async () => {
    const path = `/content/stories/${created['ann'] ?? ''}`;
    const before = (await admin.get(path)).data;
    const response = await admin.put(path, {
      bylines: [{ bylineId: idOf('bob') }, { bylineId: 'nobody' }],
      data: { title: 'x' },
    });
    expect([...statusAndCode(response), ...issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      'bylines.1.bylineId',
    ]);
    expect((await admin.get(path)).data).toEqual(before);
  });
  it.each<unknown>([
    [{}],
    [{ bylineId: '' }],
    [{ bylineId: 'a\u0000' }],
    [{ bylineId: 5 }],
    ['byline-ann'],
    'byline-ann',
    null,
  ])('return 400 for %j', async (bylines) => {
    expect(statusAndCode(await admin.post('/content/stories', { data: {}, bylines }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('GET /content/{collection}/trash', () => {
  it('returns trashed entries in pages, last deleted first, also of one locale', async () => {
    await site.collection({ slug: 'trashy' });
    const deleted: string[] = [];
    for (let index = 0; index < 9; index += 1) {
      const { item } = (
        await admin.post('/content/trashy', {
          data: { title: `T ${index}` },
          locale: index % 3 === 0 ? 'de' : 'en',
        })
      ).data;
      await admin.delete(`/content/trashy/${item.id}`);
      deleted.unshift(item.id);
    }
    await admin.post('/content/trashy', { data: { title: 'Not deleted' } });
    for (const limit of [1, 4, 100])
      expect(idsOf(await walkPages(admin, `/content/trashy/trash?limit=${limit}`))).toEqual(deleted);
    const german = await walkPages<{ id: string; locale: string }>(
      admin,
      '/content/trashy/trash?limit=2&locale=de',
    );
    expect(german.map(({ locale }) => locale)).toEqual(['de', 'de', 'de']);
    const { nextCursor } = (await admin.get('/content/trashy/trash?limit=2')).data;
    expect(statusAndCode(await admin.get(`/content/trashy/trash?cursor=${nextCursor}&locale=de`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    expect(statusAndCode(await admin.get(`/content/trashy?cursor=${nextCursor}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    const values = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[];
    const forged = Buffer.from(JSON.stringify([values[0], 'never', values[2]])).toString('base64url');
    expect(statusAndCode(await admin.get(`/content/trashy/trash?cursor=${forged}`))).toEqual([
      400,
      'INVALID_CURSOR',
    ]);
    for (const limit of ['0', '101', 'x'])
      expect(statusAndCode(await admin.get(`/content/trashy/trash?limit=${limit}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
  });
});

describe('GET /content/{collection}/authors', () => {
  it('returns the distinct authors of entries outside the trash', async () => {
    await site.collection({ slug: 'written' });
    const editor = await site.as('editor');
    const author = await site.as('author');
    for (const client of [editor, editor, author])
      await client.post('/content/written', { data: { title: 'W' } });
    const trashed = (await admin.post('/content/written', { data: { title: 'W' } })).data.item;
    await admin.delete(`/content/written/${trashed.id}`);
    const { items } = (await admin.get('/content/written/authors')).data as { items: { email: string }[] };
    expect(items.map(({ email }) => email)).toEqual([
      `author@${site.tenant}.example`,
      `editor@${site.tenant}.example`,
    ]);
    expect(items[0]).toEqual({
      id: expect.any(String),
      name: null,
      email: expect.any(String),
      avatarUrl: null,
    });
  });
  it('returns an empty list without entries', async () => {
    expect((await admin.get('/content/others/authors')).data).toEqual({ items: [] });
  });
});
