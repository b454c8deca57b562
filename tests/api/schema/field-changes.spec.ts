import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';
import { createFieldCollection } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const migrationRequired = [400, 'FIELD_UPDATE_REQUIRES_MIGRATION'];

describe('PUT /schema/collections/{slug}/fields/{fieldSlug}', () => {
  it('updates only the submitted properties, and clears those sent as null', async () => {
    const { field, update } = await createFieldCollection(site, {
      type: 'string',
      validation: { maxLength: 5 },
      widget: 'w',
      defaultValue: 'a',
    });
    const before = await field();
    const after = (await update({ label: 'New', searchable: true, sortOrder: 4, slug: 'renamed' })).data.item;
    expect(after).toEqual({
      ...before,
      label: 'New',
      searchable: true,
      sortOrder: 4,
      updatedAt: after.updatedAt,
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await update({ validation: null, widget: null, defaultValue: null })).data.item).toMatchObject({
      validation: null,
      widget: null,
      defaultValue: null,
    });
    expect(await field()).toMatchObject({ slug: 'f', label: 'New', validation: null });
  });
  it('accepts a type change among string, text and slug, and keeps the values', async () => {
    const { update, path } = await createFieldCollection(site, { type: 'string' }, ['value']);
    for (const type of ['text', 'slug', 'string']) {
      expect((await update({ type })).data.item.type).toBe(type);
      expect((await admin.get(path)).data.items[0].data).toEqual({ f: 'value' });
    }
  });
  it.each([
    ['string', 'integer'],
    ['string', 'json'],
    ['string', 'repeater'],
    ['string', 'blocks'],
    ['integer', 'number'],
    ['boolean', 'string'],
  ])('returns 400 FIELD_TYPE_COLUMN_CHANGE from %s to %s', async (from, to) => {
    const { update } = await createFieldCollection(site, { type: from as 'string', indexed: true });
    expect(statusAndCode(await update({ type: to }))).toEqual([400, 'FIELD_TYPE_COLUMN_CHANGE']);
  });
  it.each([
    ['string', 'url'],
    ['string', 'select'],
    ['url', 'text'],
    ['datetime', 'string'],
    ['integer', 'boolean'],
    ['json', 'multiSelect'],
    ['image', 'file'],
  ])('returns 400 FIELD_TYPE_CHANGE_REQUIRES_MIGRATION from %s to %s', async (from, to) => {
    const { update } = await createFieldCollection(site, { type: from as 'string' });
    expect(statusAndCode(await update({ type: to }))).toEqual([400, 'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION']);
  });
  it('returns 400 FIELD_NOT_INDEXABLE for indexed with a type that has no index', async () => {
    const plain = await createFieldCollection(site, { type: 'text' });
    expect(statusAndCode(await plain.update({ indexed: true }))).toEqual([400, 'FIELD_NOT_INDEXABLE']);
    const indexed = await createFieldCollection(site, { type: 'string', indexed: true });
    expect(statusAndCode(await indexed.update({ type: 'text' }))).toEqual([400, 'FIELD_NOT_INDEXABLE']);
    expect((await indexed.update({ type: 'text', indexed: false })).status).toBe(200);
    expect(await indexed.indexes()).toEqual([]);
  });
  it('creates and drops the index with indexed', async () => {
    const { update, indexes, path } = await createFieldCollection(site, { type: 'integer' }, [2, 1]);
    await update({ indexed: true });
    expect(await indexes()).toHaveLength(1);
    const { items } = (await admin.get(`${path}?orderBy=f&order=asc`)).data;
    expect(items.map(({ data }: { data: { f: number } }) => data.f)).toEqual([1, 2]);
    await update({ indexed: false });
    expect(await indexes()).toEqual([]);
  });
  it('returns 400 FIELD_UPDATE_REQUIRES_MIGRATION when stored values are too long for an index', async () => {
    const long = Array.from({ length: 3000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join('');
    const { update, snapshot } = await createFieldCollection(site, { type: 'string' }, [long]);
    const before = await snapshot();
    expect(statusAndCode(await update({ indexed: true, label: 'Rejected' }))).toEqual(migrationRequired);
    expect(await snapshot()).toEqual(before);
    expect((await update({ unique: true })).status).toBe(200);
  });
  it('accepts unique when all stored values differ, and drops it again', async () => {
    const { update, indexes, create } = await createFieldCollection(site, { type: 'string' }, [
      'a',
      'b',
      null,
      null,
    ]);
    expect((await update({ unique: true })).status).toBe(200);
    expect(await indexes()).toEqual([expect.stringContaining('UNIQUE')]);
    expect(statusAndCode(await create('a'))).toEqual([409, 'CONFLICT']);
    expect((await create('a', { locale: 'de' })).status).toBe(201);
    expect((await update({ unique: false })).status).toBe(200);
    expect(await indexes()).toEqual([]);
    expect((await create('a')).status).toBe(201);
  });
  it('returns 400 FIELD_UPDATE_REQUIRES_MIGRATION for unique with duplicate values, also of trashed entries', async () => {
    const { update, create, path, snapshot } = await createFieldCollection(site, { type: 'string' }, ['a']);
    const { item } = (await create('a')).data;
    await admin.delete(`${path}/${item.id}`);
    const before = await snapshot();
    expect(statusAndCode(await update({ unique: true, label: 'Rejected' }))).toEqual(migrationRequired);
    expect(await snapshot()).toEqual(before);
  });
  it.each([
    ['string', ['a'], 'a', null],
    ['string', ['a'], 'a', ''],
    ['boolean', [false], false, null],
    ['multiSelect', [['x']], ['x'], null],
  ])(
    'accepts required on a %s field when every entry has a value, else returns 400',
    async (type, values, value, none) => {
      const { update, create, snapshot } = await createFieldCollection(
        site,
        { type: type as 'string' },
        values,
      );
      expect((await update({ required: true })).status).toBe(200);
      expect(statusAndCode(await create(null))).toEqual([400, 'VALIDATION_ERROR']);
      expect((await update({ required: false })).status).toBe(200);
      expect((await create(none)).status).toBe(201);
      expect((await create(value)).status).toBe(201);
      const before = await snapshot();
      expect(statusAndCode(await update({ required: true }))).toEqual(migrationRequired);
      expect(statusAndCode(await update({ validation: { required: true } }))).toEqual(migrationRequired);
      expect(await snapshot()).toEqual(before);
    },
  );
  it('accepts required and unique together on an empty collection', async () => {
    const { update } = await createFieldCollection(site, { type: 'integer' });
    expect((await update({ required: true, unique: true, translatable: false })).status).toBe(200);
  });
  it('accepts translatable: false when translations have equal values, else returns 400', async () => {
    const { update, create, path } = await createFieldCollection(site, { type: 'string' });
    const { item } = (await create('same')).data;
    const german = (await create('same', { translationOf: item.id, locale: 'de' })).data.item;
    expect((await update({ translatable: false })).status).toBe(200);
    expect((await update({ translatable: true })).status).toBe(200);
    await admin.delete(`${path}/${german.id}`);
    const french = { translationOf: item.id, locale: 'fr' };
    expect((await create('other', french)).status).toBe(201);
    expect(statusAndCode(await update({ translatable: false }))).toEqual(migrationRequired);
  });
  it('returns 400 for translatable: false when one of two translations has no value', async () => {
    const { update, create } = await createFieldCollection(site, { type: 'integer' });
    const { item } = (await create(1)).data;
    await create(null, { translationOf: item.id, locale: 'de' });
    expect(statusAndCode(await update({ translatable: false }))).toEqual(migrationRequired);
  });
  it('checks required against the draft of an entry that has one', async () => {
    const { update, create, path } = await createFieldCollection(site, { type: 'string' });
    const { item } = (await create(null, { slug: 'one' })).data;
    const edit = (value: unknown) => admin.put(`${path}/${item.id}`, { data: { f: value } });
    await edit('written');
    expect((await update({ required: true })).status).toBe(200);
    await update({ required: false });
    await admin.post(`${path}/${item.id}/publish`);
    for (const none of [null, '']) {
      await edit(none);
      expect(statusAndCode(await update({ required: true }))).toEqual(migrationRequired);
    }
    await edit('again');
    expect((await update({ required: true })).status).toBe(200);
  });
  it('returns 400 INVALID_TITLE_FIELD or INVALID_DATE_FIELD when titleField or dateField would get another type', async () => {
    const title = await createFieldCollection(site, { type: 'string' });
    await admin.put(title.collection, { titleField: 'f' });
    for (const type of ['integer', 'url'])
      expect(statusAndCode(await title.update({ type }))).toEqual([400, 'INVALID_TITLE_FIELD']);
    expect((await title.update({ type: 'text' })).status).toBe(200);
    const date = await createFieldCollection(site, { type: 'datetime' });
    await admin.put(date.collection, { dateField: 'f' });
    for (const type of ['string', 'integer'])
      expect(statusAndCode(await date.update({ type }))).toEqual([400, 'INVALID_DATE_FIELD']);
  });
  it('returns 404 COLLECTION_NOT_FOUND or FIELD_NOT_FOUND', async () => {
    const { collection } = await createFieldCollection(site, { type: 'string' });
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
  ])('returns 400 VALIDATION_ERROR on a %s field for %j and changes nothing', async (type, body) => {
    const { update, snapshot } = await createFieldCollection(site, { type });
    const before = await snapshot();
    expect(statusAndCode(await update(body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await snapshot()).toEqual(before);
  });
});
