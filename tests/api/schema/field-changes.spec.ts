import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';
import { collectionOf } from './schema-one-field.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const migration = [400, 'FIELD_UPDATE_REQUIRES_MIGRATION'];

describe('updateField', () => {
  it('changes what is sent, leaves the rest, and clears with null', async () => {
    const { field, change } = await collectionOf(site, {
      type: 'string',
      validation: { maxLength: 5 },
      widget: 'w',
      defaultValue: 'a',
    });
    const before = await field();
    const after = (await change({ label: 'New', searchable: true, sortOrder: 4, slug: 'renamed' })).data.item;
    expect(after).toEqual({
      ...before,
      label: 'New',
      searchable: true,
      sortOrder: 4,
      updatedAt: after.updatedAt,
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await change({ validation: null, widget: null, defaultValue: null })).data.item).toMatchObject({
      validation: null,
      widget: null,
      defaultValue: null,
    });
    expect(await field()).toMatchObject({ slug: 'f', label: 'New', validation: null });
  });
  it('takes a type change among string, text and slug, and keeps the values', async () => {
    const { change, path } = await collectionOf(site, { type: 'string' }, ['kept']);
    for (const type of ['text', 'slug', 'string']) {
      expect((await change({ type })).data.item.type).toBe(type);
      expect((await admin.get(path)).data.items[0].data).toEqual({ f: 'kept' });
    }
  });
  it.each([
    ['string', 'integer'],
    ['string', 'json'],
    ['string', 'repeater'],
    ['string', 'blocks'],
    ['integer', 'number'],
    ['boolean', 'string'],
  ])('answers 400 FIELD_TYPE_COLUMN_CHANGE from %s to %s', async (from, to) => {
    const { change } = await collectionOf(site, { type: from as 'string', indexed: true });
    expect(statusAndCode(await change({ type: to }))).toEqual([400, 'FIELD_TYPE_COLUMN_CHANGE']);
  });
  it.each([
    ['string', 'url'],
    ['string', 'select'],
    ['url', 'text'],
    ['datetime', 'string'],
    ['integer', 'boolean'],
    ['json', 'multiSelect'],
    ['image', 'file'],
  ])('answers 400 FIELD_TYPE_CHANGE_REQUIRES_MIGRATION from %s to %s', async (from, to) => {
    const { change } = await collectionOf(site, { type: from as 'string' });
    expect(statusAndCode(await change({ type: to }))).toEqual([400, 'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION']);
  });
  it('answers 400 FIELD_NOT_INDEXABLE when the type or the wish is not for an index', async () => {
    const plain = await collectionOf(site, { type: 'text' });
    expect(statusAndCode(await plain.change({ indexed: true }))).toEqual([400, 'FIELD_NOT_INDEXABLE']);
    const indexed = await collectionOf(site, { type: 'string', indexed: true });
    expect(statusAndCode(await indexed.change({ type: 'text' }))).toEqual([400, 'FIELD_NOT_INDEXABLE']);
    expect((await indexed.change({ type: 'text', indexed: false })).status).toBe(200);
    expect(await indexed.indexes()).toEqual([]);
  });
  it('makes and drops the index with indexed', async () => {
    const { change, indexes, path } = await collectionOf(site, { type: 'integer' }, [2, 1]);
    await change({ indexed: true });
    expect(await indexes()).toHaveLength(1);
    const { items } = (await admin.get(`${path}?orderBy=f&order=asc`)).data;
    expect(items.map(({ data }: { data: { f: number } }) => data.f)).toEqual([1, 2]);
    await change({ indexed: false });
    expect(await indexes()).toEqual([]);
  });
  it('answers 400 FIELD_UPDATE_REQUIRES_MIGRATION when stored values are too long for an index', async () => {
    const long = Array.from({ length: 3000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join('');
    const { change, picture } = await collectionOf(site, { type: 'string' }, [long]);
    const before = await picture();
    expect(statusAndCode(await change({ indexed: true, label: 'Not kept' }))).toEqual(migration);
    expect(await picture()).toEqual(before);
    expect((await change({ unique: true })).status).toBe(200);
  });
  it('takes unique when all stored values differ, and drops it again', async () => {
    const { change, indexes, create } = await collectionOf(site, { type: 'string' }, ['a', 'b', null, null]);
    expect((await change({ unique: true })).status).toBe(200);
    expect(await indexes()).toEqual([expect.stringContaining('UNIQUE')]);
    expect(statusAndCode(await create('a'))).toEqual([409, 'CONFLICT']);
    expect((await create('a', { locale: 'de' })).status).toBe(201);
    expect((await change({ unique: false })).status).toBe(200);
    expect(await indexes()).toEqual([]);
    expect((await create('a')).status).toBe(201);
  });
  it('answers 400 FIELD_UPDATE_REQUIRES_MIGRATION for unique when values are doubled, a trashed one included, and changes nothing', async () => {
    const { change, create, path, picture } = await collectionOf(site, { type: 'string' }, ['a']);
    const { item } = (await create('a')).data;
    await admin.delete(`${path}/${item.id}`);
    const before = await picture();
    expect(statusAndCode(await change({ unique: true, label: 'Not kept' }))).toEqual(migration);
    expect(await picture()).toEqual(before);
  });
  it.each([
    ['string', ['a'], 'a', null],
    ['string', ['a'], 'a', ''],
    ['boolean', [false], false, null],
    ['multiSelect', [['x']], ['x'], null],
  ])(
    'takes required on a %s field when every entry has a value, and refuses it otherwise',
    async (type, values, value, none) => {
      const { change, create, picture } = await collectionOf(site, { type: type as 'string' }, values);
      expect((await change({ required: true })).status).toBe(200);
      expect(statusAndCode(await create(null))).toEqual([400, 'VALIDATION_ERROR']);
      expect((await change({ required: false })).status).toBe(200);
      expect((await create(none)).status).toBe(201);
      expect((await create(value)).status).toBe(201);
      const before = await picture();
      expect(statusAndCode(await change({ required: true }))).toEqual(migration);
      expect(statusAndCode(await change({ validation: { required: true } }))).toEqual(migration);
      expect(await picture()).toEqual(before);
    },
  );
  it('takes required and unique at once on an empty collection', async () => {
    const { change } = await collectionOf(site, { type: 'integer' });
    expect((await change({ required: true, unique: true, translatable: false })).status).toBe(200);
  });
  it('takes translatable: false when translations agree, and refuses it otherwise', async () => {
    const { change, create, path } = await collectionOf(site, { type: 'string' });
    const { item } = (await create('same')).data;
    const german = (await create('same', { translationOf: item.id, locale: 'de' })).data.item;
    expect((await change({ translatable: false })).status).toBe(200);
    expect((await change({ translatable: true })).status).toBe(200);
    await admin.delete(`${path}/${german.id}`);
    const french = { translationOf: item.id, locale: 'fr' };
    expect((await create('other', french)).status).toBe(201);
    expect(statusAndCode(await change({ translatable: false }))).toEqual(migration);
  });
  it('refuses translatable: false when one of two translations has no value', async () => {
    const { change, create } = await collectionOf(site, { type: 'integer' });
    const { item } = (await create(1)).data;
    await create(null, { translationOf: item.id, locale: 'de' });
    expect(statusAndCode(await change({ translatable: false }))).toEqual(migration);
  });
  it('judges required by the draft of an entry that has one', async () => {
    const { change, create, path } = await collectionOf(site, { type: 'string' });
    const { item } = (await create(null, { slug: 'one' })).data;
    const edit = (value: unknown) => admin.put(`${path}/${item.id}`, { data: { f: value } });
    await edit('written');
    expect((await change({ required: true })).status).toBe(200);
    await change({ required: false });
    await admin.post(`${path}/${item.id}/publish`);
    for (const none of [null, '']) {
      await edit(none);
      expect(statusAndCode(await change({ required: true }))).toEqual(migration);
    }
    await edit('again');
    expect((await change({ required: true })).status).toBe(200);
  });
  it('answers 400 INVALID_TITLE_FIELD and INVALID_DATE_FIELD when a field in that role changes its type away', async () => {
    const title = await collectionOf(site, { type: 'string' });
    await admin.put(title.collection, { titleField: 'f' });
    for (const type of ['integer', 'url'])
      expect(statusAndCode(await title.change({ type }))).toEqual([400, 'INVALID_TITLE_FIELD']);
    expect((await title.change({ type: 'text' })).status).toBe(200);
    const date = await collectionOf(site, { type: 'datetime' });
    await admin.put(date.collection, { dateField: 'f' });
    for (const type of ['string', 'integer'])
      expect(statusAndCode(await date.change({ type }))).toEqual([400, 'INVALID_DATE_FIELD']);
  });
  it('answers 404 COLLECTION_NOT_FOUND and FIELD_NOT_FOUND', async () => {
    const { collection } = await collectionOf(site, { type: 'string' });
    expect(statusAndCode(await admin.put('/schema/collections/nothing/fields/f', {}))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
    expect(statusAndCode(await admin.put(`${collection}/fields/nothing`, {}))).toEqual([
      404,
      'FIELD_NOT_FOUND',
    ]);
  });
  it.each<['string' | 'reference', object]>([
    ['string', { validation: { maxLength: -1 } }],
    ['string', { defaultValue: 5 }],
    ['string', { label: ' ' }],
    ['string', { required: null }],
    ['reference', { validation: { relation: 'x' } }],
  ])('answers 400 VALIDATION_ERROR on a %s field for %j and changes nothing', async (type, body) => {
    const { change, picture } = await collectionOf(site, { type });
    const before = await picture();
    expect(statusAndCode(await change(body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await picture()).toEqual(before);
  });
});
