import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { createByline } from '../bylines/support.js';
import { articleFields, create, failure, read, succeed, type CreatedEntry } from './entries-support.js';

const site = useSite();
let editor: Client;
/** Ids of two bylines and two people. */
let bylines: string[];
let people: string[];

beforeAll(async () => {
  const admin = await site.as('admin');
  editor = await site.as('editor');
  await site.collection({ slug: 'people', fields: articleFields });
  await site.collection({ fields: articleFields });
  const reference = { slug: 'cast', label: 'Cast', type: 'reference' };
  const validation = { targetCollection: 'people', multiple: true };
  await admin.post('/schema/collections/posts/fields', { ...reference, validation });
  for (const name of ['topic', 'mood']) {
    await admin.post('/taxonomies', { name, label: name, collections: ['posts'] });
    await admin.post(`/taxonomies/${name}/terms`, { slug: 'one', label: 'One' });
    await admin.post(`/taxonomies/${name}/terms`, { slug: 'two', label: 'Two' });
  }
  bylines = [(await createByline(editor)).id, (await createByline(editor)).id];
  people = [];
  for (let index = 0; index < 2; index += 1)
    people.push((await create(editor, { collection: 'people', status: 'published' })).address.id);
});

const credits = (item: { bylines: { byline: { id: string }; roleLabel: string | null }[] }) =>
  item.bylines.map(({ byline, roleLabel }) => [byline.id, roleLabel]);
const termsOf = async ({ address }: CreatedEntry, taxonomy: string) => {
  const { data } = await editor.get(`/content/posts/${address.id}/terms/${taxonomy}`);
  return (data.terms as { slug: string }[]).map(({ slug }) => slug);
};
const cast = async ({ address }: CreatedEntry) => {
  const { references } = await read(editor, address);
  return (references.cast.items as { id: string }[]).map(({ id }) => id);
};
const update = async (entry: CreatedEntry, args: object) => {
  const { _rev } = await read(editor, entry.address);
  return (await succeed(editor, 'content_update', { ...entry.address, _rev, ...args })).data.item;
};

describe('bylines of an entry', () => {
  it('keep their order, and the first is primary; content_duplicate copies them', async () => {
    const [first, second] = bylines;
    const given = [{ bylineId: second, roleLabel: 'Photos' }, { bylineId: first }];
    const { item, address } = await create(editor, { bylines: given });
    expect(credits(item)).toEqual([
      [second, 'Photos'],
      [first, null],
    ]);
    expect(item.byline.id).toBe(second);
    expect(item.primaryBylineId).toEqual(expect.any(String));
    const { data } = await succeed(editor, 'content_duplicate', address);
    expect(credits(data.item)).toEqual(credits(item));
  });

  it('change at once by content_update; an empty list clears them, an omitted one keeps them', async () => {
    const [bylineId] = bylines;
    const entry = await create(editor, { status: 'published' });
    const changed = await update(entry, { bylines: [{ bylineId }] });
    expect([credits(changed), changed.draftRevisionId]).toEqual([[[bylineId, null]], null]);
    expect(credits(await update(entry, { data: { body: 'x' } }))).toEqual([[bylineId, null]]);
    const cleared = await update(entry, { bylines: [] });
    expect([cleared.bylines, cleared.primaryBylineId]).toEqual([[], null]);
  });
});

describe('terms of an entry', () => {
  let entry: CreatedEntry;
  beforeEach(async () => {
    entry = await create(editor, { taxonomies: { topic: ['one', 'two'], mood: ['one'] } });
  });

  it('change for the named taxonomies only; an empty list clears them', async () => {
    expect([await termsOf(entry, 'topic'), await termsOf(entry, 'mood')]).toEqual([['one', 'two'], ['one']]);
    await update(entry, { taxonomies: { topic: [] } });
    expect([await termsOf(entry, 'topic'), await termsOf(entry, 'mood')]).toEqual([[], ['one']]);
  });

  it('stay when another one of the update is unknown', async () => {
    const { _rev } = await read(editor, entry.address);
    const args = { ...entry.address, _rev, data: { body: 'x' }, taxonomies: { topic: [], mood: ['none'] } };
    expect((await failure(editor, 'content_update', args))[0]).toBe('VALIDATION_ERROR');
    expect([await termsOf(entry, 'topic'), (await read(editor, entry.address))._rev]).toEqual([
      ['one', 'two'],
      _rev,
    ]);
  });
});

describe('references of an entry', () => {
  it('keep their order beside the item of content_get; an omitted field keeps its selection', async () => {
    const entry = await create(editor, { references: { cast: [...people].reverse() } });
    expect(await cast(entry)).toEqual([...people].reverse());
    await update(entry, { data: { body: 'x' } });
    expect(await cast(entry)).toHaveLength(2);
    await update(entry, { references: { cast: [] } });
    expect(await cast(entry)).toEqual([]);
  });

  it('of a published entry are staged, and live after status published', async () => {
    const entry = await create(editor, { status: 'published' });
    const reader = await site.as('subscriber');
    const visible = async () => (await read(reader, entry.address)).references.cast.items.length as number;
    await update(entry, { references: { cast: people } });
    expect([await cast(entry), await visible()]).toEqual([people, 0]);
    await update(entry, { status: 'published' });
    expect(await visible()).toBe(2);
    await update(entry, { references: { cast: people.slice(0, 1) }, status: 'published' });
    expect([await cast(entry), await visible()]).toEqual([people.slice(0, 1), 1]);
  });

  it('are a VALIDATION_ERROR for an unknown, trashed or foreign entry, and in data', async () => {
    const trashed = await create(editor, { collection: 'people' });
    await succeed(editor, 'content_delete', trashed.address);
    const post = await create(editor);
    for (const id of ['unknown', trashed.address.id, post.address.id]) {
      const args = { collection: 'posts', data: { title: 'T' }, references: { cast: [id] } };
      expect((await failure(editor, 'content_create', args))[0]).toBe('VALIDATION_ERROR');
    }
    const inData = { collection: 'posts', data: { title: 'T', cast: people } };
    expect((await failure(editor, 'content_create', inData))[0]).toBe('VALIDATION_ERROR');
  });

  it('are at most 1000 a field', async () => {
    const cast = Array.from({ length: 1001 }, (_, index) => `id-${index}`);
    const args = { collection: 'posts', data: { title: 'T' }, references: { cast } };
    const [code, message] = await failure(editor, 'content_create', args);
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('references.cast')]);
  });
});

describe('shared values of translations', () => {
  it('reach the other translations when content_update publishes', async () => {
    await site.collection({
      slug: 'goods',
      fields: [...articleFields, { slug: 'price', type: 'integer', translatable: false }],
    });
    const english = await create(editor, { collection: 'goods', data: { price: 1 }, status: 'published' });
    const german = await create(editor, {
      collection: 'goods',
      locale: 'de',
      translationOf: english.address.id,
      status: 'published',
    });
    expect(german.item.data.price).toBe(1);
    await update(english, { data: { price: 2 }, status: 'published' });
    expect((await read(editor, german.address)).item.data.price).toBe(2);
  });
});
