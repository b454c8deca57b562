import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { getContent } from '../../entries/index.js';
import { contentTables } from '../../migrations/index.js';
import { createCollections, importDeps, importerOf, libraryFile, post } from '../testing/import-setup.js';

let content: ServiceTenant;
const deps = importDeps();

beforeAll(async () => {
  content = await openServiceTenant('spec-of-known-media', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
});
afterAll(() => content.close());

const base = 'https://old.example/wp-content/uploads';
const file = libraryFile('m1');
const media = [{ address: `${base}/a.jpg`, file }];
const external = { provider: 'external', id: '', src: `${base}/a.jpg`, alt: 'from the source' };
const body = (title: string) => [
  { _type: 'image', _key: 'i', asset: { _type: 'reference', _ref: '5', url: `${base}/a-300x200.jpg` } },
  { _type: 'cover', _key: 'c', backgroundImage: `${base}/a.jpg`, content: [] },
  { _type: 'htmlBlock', _key: 'h', html: `<img src="${base}/a.jpg"> <img src="${base}/b.jpg">${title}` },
];
const entryOf = (id: string, title: string, more: object = {}) =>
  post(id, {
    title,
    fingerprint: title,
    collection: 'notes',
    data: { title, content: body(title), picture: external, ...more },
  });
const run = async (importId: string, entry: ReturnType<typeof post>, known = media) => {
  const [result] = await importerOf(content.ctx, deps)(importId, [entry], { media: known });
  return result;
};
const valuesOf = async (id: string | null | undefined) =>
  (await getContent(content.ctx, deps.entries, { collection: 'notes', id: id ?? '' })).item.data;

const local = (title: string) => ({
  content: [
    { asset: { _ref: 'm1', url: file.url } },
    { backgroundImage: file.url },
    { html: `<img src="${file.url}"> <img src="${base}/b.jpg">${title}` },
  ],
  picture: {
    provider: 'local',
    id: 'm1',
    mimeType: 'image/jpeg',
    width: 30,
    height: 20,
    meta: { storageKey: 'm1' },
    alt: 'from the source',
  },
});

describe('importEntries with media that are in the library already (contract 1.6)', () => {
  it('creates entries with the items of the library', async () => {
    const created = await run('i1', entryOf('1', 'First'));
    const values = await valuesOf(created?.entryId);
    expect(values).toMatchObject(local('First'));
    expect(values['picture']).not.toHaveProperty('src', external.src);
  });

  it('updates a changed entry to the items of the library', async () => {
    const created = await run('i1', entryOf('2', 'Second'), []);
    expect(await valuesOf(created?.entryId)).toMatchObject({ picture: external });
    const updated = await run('i2', entryOf('2', 'Changed'));
    expect(updated).toMatchObject({ outcome: 'updated', entryId: created?.entryId, warnings: [] });
    expect(await valuesOf(created?.entryId)).toMatchObject(local('Changed'));
  });

  it('leaves an unchanged entry as it is', async () => {
    const created = await run('i1', entryOf('3', 'Third'), []);
    expect(await run('i2', entryOf('3', 'Third'))).toMatchObject({ outcome: 'unchanged' });
    expect(await valuesOf(created?.entryId)).toMatchObject({ picture: external });
  });

  it('keeps the address of a file that the field does not accept', async () => {
    const known = [{ address: `${base}/a.jpg`, file: { ...file, mimeType: 'application/pdf' } }];
    const created = await run('i1', entryOf('4', 'Fourth'), known);
    expect(created).toMatchObject({ outcome: 'created' });
    expect(await valuesOf(created?.entryId)).toMatchObject({ picture: external });
  });
});
