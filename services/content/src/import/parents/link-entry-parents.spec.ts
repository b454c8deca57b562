import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { deleteContent, getContent, updateContent } from '../../entries/index.js';
import { contentTables } from '../../migrations/index.js';
import {
  createCollections,
  createParentField,
  importDeps,
  importerOf,
  post,
} from '../testing/import-setup.js';
import { linkEntryParents } from './index.js';

const site = 'source.example';
let content: ServiceTenant;
const deps = importDeps();

beforeAll(async () => {
  content = await openServiceTenant('spec-of-parents', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
  await createParentField(content.ctx, deps);
});
afterAll(() => content.close());
beforeEach(async () => {
  for (const table of ['import_records', 'reference_links', 'content_posts', 'content_notes'])
    await content.ctx.db.query(`DELETE FROM ${table}`);
});

/** Entries as "id" or "id<parent"; their source has changed when `change` differs. */
const entriesOf = (places: string[], { change = '', ...parts }: { change?: string } & object = {}) =>
  places.map((place) => {
    const [id = '', parentId] = place.split('<');
    const parent = parentId === undefined ? null : { type: 'post', id: parentId };
    return post(id, { fingerprint: `${place} ${change}`, parent, ...parts });
  });
const write = (importId: string, places: string[], parts: object = {}) =>
  importerOf(content.ctx, deps)(importId, entriesOf(places, parts));
const link = async (importId: string, places: string[]) => {
  const children = places.map((place) => ({ type: 'post', id: place.split('<')[0] ?? '' }));
  const { warnings } = await linkEntryParents(content.ctx, { importId, site, children });
  return warnings.map(({ source, code, message }) => `${source.id} ${code}: ${message}`);
};
const run = async (importId: string, places: string[], parts: object = {}) => {
  await write(importId, places, parts);
  return link(importId, places);
};
const idOf = async (id: string) => {
  const [record] = await content.ctx.db.query<{ id: string }>(
    'SELECT target_id AS id FROM import_records WHERE source_id = $1',
    [id],
  );
  return record?.id ?? '';
};
/** The parents of the entries, as a single read returns them. */
async function tree(...ids: string[]) {
  const places: string[] = [];
  for (const id of ids) {
    const { references } = await getContent(content.ctx, deps.entries, {
      collection: 'posts',
      id: await idOf(id),
    });
    const parents = references['parent']?.items ?? [];
    places.push([id, ...parents.map(({ slug }) => slug?.replace('post-', ''))].join('<'));
  }
  return places;
}
const edit = async (id: string, change: object) =>
  updateContent(content.ctx, deps.entries, { collection: 'posts', id: await idOf(id), ...change });
const links = () => content.ctx.db.query('SELECT * FROM reference_links ORDER BY 1, 2, 3');

describe('linkEntryParents', () => {
  it('links entries to parents of the same import and of an earlier one', async () => {
    await run('one', ['root']);
    expect(await run('two', ['c<b', 'b<a', 'a<root'])).toEqual([]);
    expect(await tree('root', 'a', 'b', 'c')).toEqual(['root', 'a<root', 'b<a', 'c<b']);
  });

  it('leaves an entry at the top with a warning when its parent was not imported, or is below it', async () => {
    const places = ['lost<gone', 'self<self', 'x<z', 'y<x', 'z<y'];
    expect(await run('one', places)).toEqual([
      'lost PARENT_MISSING: The parent gone was not imported',
      'self PARENT_MISSING: The parent self is the entry itself or below it',
      'z PARENT_MISSING: The parent y is the entry itself or below it',
    ]);
    expect(await tree('lost', 'self', 'x', 'y', 'z')).toEqual(['lost', 'self', 'x<z', 'y<x', 'z']);
    expect(await link('one', places)).toHaveLength(3);
  });

  it('changes nothing when a later import repeats unchanged sources, and warns no more', async () => {
    const places = ['a', 'b<a', 'lost<gone'];
    await run('one', places);
    const before = await links();
    expect(await run('two', places)).toEqual([]);
    expect(await links()).toEqual(before);
  });

  it('links an entry of an earlier import when its parent has arrived', async () => {
    await run('one', ['b<a']);
    await run('two', ['a']);
    expect(await run('three', ['b<a'])).toEqual([]);
    expect(await tree('b')).toEqual(['b<a']);
  });

  it('moves an entry whose source has another parent, and takes the parent from one without', async () => {
    await run('one', ['a', 'b', 'moved<a', 'freed<a']);
    await run('two', ['moved<b', 'freed']);
    expect(await tree('moved', 'freed')).toEqual(['moved<b', 'freed']);
  });

  it('leaves an entry that a user has edited below the parent of the user', async () => {
    await run('one', ['a', 'b', 'chosen<a', 'removed<a', 'edited']);
    await edit('chosen', { references: { parent: [await idOf('b')] } });
    await edit('removed', { references: { parent: [] } });
    await edit('edited', { data: { title: 'Mine' } });
    const places = ['chosen<a', 'removed<a', 'edited<a'];
    expect(await run('two', places, { change: 'later' })).toEqual([]);
    expect(await tree('chosen', 'removed', 'edited')).toEqual(['chosen<b', 'removed', 'edited']);
  });

  it('keeps a place that a user has given an entry from the other end of the relation', async () => {
    await run('one', ['a', 'b', 'moved<a', 'freed<a']);
    const [moved, freed, b] = [await idOf('moved'), await idOf('freed'), await idOf('b')];
    await content.ctx.db.query('UPDATE reference_links SET child_group = $2 WHERE parent_group = $1', [
      moved,
      b,
    ]);
    await content.ctx.db.query('DELETE FROM reference_links WHERE parent_group = $1', [freed]);
    await run('two', ['moved<a', 'freed<a']);
    expect(await tree('moved', 'freed')).toEqual(['moved<b', 'freed']);
  });

  it('links an entry again when its parent was deleted and is imported again', async () => {
    await run('one', ['a', 'b<a']);
    const deleted = await idOf('a');
    await deleteContent(content.ctx, deps.entries, { collection: 'posts', id: deleted });
    await content.ctx.db.query('DELETE FROM content_posts WHERE id = $1', [deleted]);
    await content.ctx.db.query('DELETE FROM reference_links');
    await run('two', ['a', 'b<a']);
    expect(await tree('b')).toEqual(['b<a']);
  });

  it('gives translations the parent of the entry that they translate', async () => {
    await run('one', ['a', 'b', 'first<a']);
    const translationOf = { type: 'post', id: 'first' };
    for (const importId of ['two', 'three'])
      await run(importId, ['second<b'], { translationOf, locale: 'de' });
    expect(await tree('first', 'second')).toEqual(['first<a', 'second<a']);
  });

  it('keeps parents in the records only where the collection has no field for them, or another parent limit', async () => {
    const parts = { collection: 'notes' };
    expect(await run('one', ['n', 'm<n', 'lost<gone'], parts)).toEqual([
      'lost PARENT_MISSING: The parent gone was not imported',
    ]);
    await content.ctx.db.query('UPDATE relations SET max_parents_per_child = 1');
    await run('one', ['a', 'b<a']);
    await content.ctx.db.query('UPDATE relations SET max_parents_per_child = NULL');
    expect(await links()).toEqual([]);
    const parents = await content.ctx.db.query(
      'SELECT source_id AS id, parent_id AS parent FROM import_records WHERE parent_id IS NOT NULL ORDER BY 1',
    );
    expect(parents).toEqual([
      { id: 'b', parent: 'a' },
      { id: 'lost', parent: 'gone' },
      { id: 'm', parent: 'n' },
    ]);
  });

  it('does not link entries of different collections', async () => {
    await write('one', ['n'], { collection: 'notes' });
    expect(await run('one', ['a<n'])).toEqual([]);
    expect(await links()).toEqual([]);
  });

  it('keeps the versions of the entries', async () => {
    await run('one', ['a', 'b<a']);
    const versions = await content.ctx.db.query('SELECT DISTINCT version FROM content_posts');
    expect(versions).toEqual([{ version: 1 }]);
  });
});
