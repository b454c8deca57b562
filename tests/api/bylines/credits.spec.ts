import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, itemOf, useSite, type Client } from '@quire/testing';
import { createByline, translateByline, updateByline } from './support.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
});

let count = 0;
const create = (body?: object) => createByline(editor, body);
const translate = async (id: string, locale: string) => (await translateByline(editor, id, { locale })).data;
const update = (id: string, body: object) => updateByline(editor, id, body);
const idsOf = async (query: string): Promise<string[]> =>
  (await editor.get(`/content/posts?limit=100&${query}`)).data.items.map(({ id }: { id: string }) => id);

/** Creates an author without a byline. @returns the user id, and a function that creates entries of the author */
async function newAuthor() {
  count += 1;
  const client = await site.another('author', `author-${count}`);
  const entryIn = async (locale: string, more: object = {}) => {
    const entry = await createEntry(client, 'posts', {}, { locale, ...more });
    return itemOf(await client.get(entry.path));
  };
  return { userId: (await entryIn('en')).authorId as string, entryIn };
}

describe('explicit credits of an entry', () => {
  const credited = async (bylineId: string, locale: string) => {
    const entry = await createEntry(editor, 'posts', {}, { locale, bylines: [{ bylineId }] });
    return itemOf(await editor.get(entry.path));
  };

  it('show the byline in the locale of the entry, else in the default locale', async () => {
    const english = await create();
    const german = await translate(english.id, 'de');
    for (const id of [english.id, german.id, english.translationGroup]) {
      expect((await credited(id, 'de')).byline).toEqual(german);
      expect((await credited(id, 'en')).byline).toEqual(english);
      expect((await credited(id, 'fr')).byline).toEqual(english);
    }
  });
  it('omit a byline that exists in neither locale, without an inferred credit in its place', async () => {
    const { userId, entryIn } = await newAuthor();
    await create({ userId });
    const { id, translationGroup } = await create({ locale: 'de' });
    const item = await entryIn('fr', { bylines: [{ bylineId: id }] });
    expect([item.primaryBylineId, item.byline, item.bylines]).toEqual([translationGroup, null, []]);
    expect(await idsOf('bylines=none&locale=fr')).toContain(item.id);
    expect(await idsOf('bylines=none&includeInferredBylines=1&locale=fr')).toContain(item.id);
  });
  it('exclude the entry from bylines=none, also when shown in the default locale', async () => {
    const item = await credited((await create()).id, 'it');
    expect(await idsOf('bylines=none&locale=it')).not.toContain(item.id);
    expect(await idsOf('bylines=none')).not.toContain(item.id);
  });
  it('are in the response of a write, also of one that changes nothing', async () => {
    const { id, bylines } = await credited((await create()).id, 'en');
    const path = `/content/posts/${id}`;
    expect(bylines).toHaveLength(1);
    expect(itemOf(await editor.put(path, { data: { title: 'Changed' } })).bylines).toEqual(bylines);
    for (const action of ['unpublish', 'discard-draft', 'publish', 'unpublish', 'unpublish'])
      expect(itemOf(await editor.post(`${path}/${action}`)).bylines).toEqual(bylines);
  });
  it('show changes of the byline', async () => {
    const { id } = await create();
    const { id: entry } = await credited(id, 'en');
    await update(id, { displayName: 'Renamed' });
    expect(itemOf(await editor.get(`/content/posts/${entry}`)).byline.displayName).toBe('Renamed');
  });
});

describe('inferred credits of an entry', () => {
  it('show the byline linked to the author, in the locale of the entry, else in the default locale', async () => {
    const { userId, entryIn } = await newAuthor();
    expect((await entryIn('nl')).bylines).toEqual([]);
    const english = await create({ userId });
    const item = await entryIn('nl');
    expect(item.bylines).toEqual([{ byline: english, sortOrder: 0, roleLabel: null, source: 'inferred' }]);
    expect([item.byline, item.primaryBylineId]).toEqual([english, null]);
    const dutch = await translate(english.id, 'nl');
    expect((await entryIn('nl')).byline).toEqual(dutch);
    expect((await entryIn('en')).byline).toEqual(english);
  });
  it('prefer the locale of the entry over the default locale, then the oldest byline', async () => {
    const { userId, entryIn } = await newAuthor();
    const english = await create({ userId });
    const younger = await create({ userId });
    const dutch = await create({ userId, locale: 'nl' });
    const shown = await entryIn('nl');
    expect([shown.byline.id, (await entryIn('en')).byline.id]).toEqual([dutch.id, english.id]);
    const inferred = (id: string) => idsOf(`bylines=${id}&includeInferredBylines=1`);
    expect(await inferred(dutch.id)).toEqual([shown.id]);
    expect(await inferred(english.id)).not.toContain(shown.id);
    expect(await inferred(younger.id)).toEqual([]);
  });
  it('are empty when the author is linked only in another locale', async () => {
    const { userId, entryIn } = await newAuthor();
    const german = await create({ userId, locale: 'de' });
    const item = await entryIn('en');
    expect(item.bylines).toEqual([]);
    expect((await entryIn('de')).byline).toEqual(german);
    expect(await idsOf('bylines=none&includeInferredBylines=1')).toContain(item.id);
  });
  it('are empty after the link or the byline was removed', async () => {
    const { userId, entryIn } = await newAuthor();
    const { id } = await create({ userId });
    expect((await entryIn('en')).byline.id).toBe(id);
    await update(id, { userId: null });
    expect((await entryIn('en')).byline).toBeNull();
    await update(id, { userId });
    await editor.delete(`/admin/bylines/${id}`);
    expect((await entryIn('en')).byline).toBeNull();
  });
});
