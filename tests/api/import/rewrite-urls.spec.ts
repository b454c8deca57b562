import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  createImage,
  describePermissions,
  eventually,
  issuePaths,
  openSite,
  statusAndCode,
  uploadFile,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type Client,
} from '@quire/testing';
import { UsageSite } from '../media-usage/support.js';

const path = '/import/legacy/rewrite-urls';
const site = useSite();
const rowLock = useRowLock(site);
let admin: Client;
/** Media items of the library, imported from the old site. */
let photo: { id: string; storageKey: string };
let map: Record<string, string>;

const base = 'https://old.example/wp-content/uploads/2020/01';
const oldPhoto = `${base}/photo.jpg`;
const newPhoto = () => `/_cms/api/media/file/${photo.storageKey}`;
const subFields = [{ slug: 'picture', label: 'Picture', type: 'image' as const }];
const fields = [
  { slug: 'title', type: 'string' as const },
  { slug: 'note', type: 'text' as const },
  { slug: 'link', type: 'url' as const },
  { slug: 'content', type: 'portableText' as const },
  { slug: 'cover', type: 'image' as const },
  { slug: 'rows', type: 'repeater' as const, validation: { subFields } },
  { slug: 'raw', type: 'json' as const },
  { slug: 'code', type: 'string' as const, unique: true },
];
const nothing = { updated: 0, byCollection: {}, urlsRewritten: 0, errors: [] };

beforeAll(async () => {
  admin = await site.as('admin');
  const uploaded = await uploadFile(admin, {
    bytes: await createImage(),
    type: 'image/png',
    filename: 'p.png',
  });
  photo = uploaded.data.item;
  map = { [oldPhoto]: newPhoto() };
  await site.collection({ slug: 'posts', fields });
  await site.collection({ slug: 'notes', supports: [], fields });
});

const rewrite = (body: object = { urlMap: map }) => admin.post(path, body);
const external = { provider: 'external', id: '', src: `${base}/photo-300x200.jpg` };
const image = { _type: 'image', _key: 'k', asset: { _type: 'reference', _ref: '17', url: oldPhoto } };
const rewrittenImage = () => ({ ...image, asset: { ...image.asset, _ref: photo.id, url: newPhoto() } });
const createPost = (data: object, collection = 'posts') =>
  createEntry(admin, collection, { body: undefined, ...data });

describePermissions(
  () => site,
  [
    {
      permission: 'import:execute',
      minRole: 'admin',
      scopes: ['admin'],
      expectedStatus: 200,
      operations: { rewriteUrls: (client) => client.post(path, { urlMap: {} }) },
    },
  ],
);

describe('POST /import/legacy/rewrite-urls', () => {
  it('replaces addresses in every kind of value, and returns the counts', async () => {
    const entry = await createPost({
      title: `On ${oldPhoto}`,
      note: `See ${oldPhoto}?w=300. And http://www.old.example/wp-content/uploads/2020/01/photo-9x9.jpg!`,
      link: oldPhoto,
      content: [image, { _type: 'file', _key: 'f', url: oldPhoto }],
      cover: external,
      rows: [{ picture: external }],
      raw: { url: oldPhoto },
    });
    const other = await createPost({ title: 'Other' });
    const before = await other.get();
    const { status, data } = await rewrite();
    expect(status).toBe(200);
    expect(data).toEqual({ updated: 1, byCollection: { posts: 1 }, urlsRewritten: 8, errors: [] });
    const local = {
      provider: 'local',
      id: photo.id,
      meta: { storageKey: photo.storageKey },
      mimeType: 'image/png',
      width: 8,
      height: 6,
    };
    expect((await entry.get()).item.data).toMatchObject({
      title: `On ${newPhoto()}`,
      note: `See ${newPhoto()}. And ${newPhoto()}!`,
      link: newPhoto(),
      content: [rewrittenImage(), { url: newPhoto() }],
      cover: local,
      rows: [{ picture: local }],
      raw: { url: oldPhoto },
    });
    expect(await other.get()).toEqual(before);
    await entry.remove();
  });

  it('changes nothing when it is repeated, and nothing for an empty map', async () => {
    const entry = await createPost({ title: oldPhoto, cover: external, content: [image] });
    expect((await rewrite()).data.updated).toBe(1);
    const once = await entry.get();
    expect((await rewrite()).data).toEqual(nothing);
    expect((await rewrite({ urlMap: {} })).data).toEqual(nothing);
    expect(await entry.get()).toEqual(once);
  });

  it('writes an entry once: a new version, the same time of the last change', async () => {
    const entry = await createPost({ title: oldPhoto, cover: external });
    const { item, _rev } = await entry.get();
    await rewrite();
    const after = await entry.get();
    expect(after.item).toMatchObject({ version: item.version + 1, updatedAt: item.updatedAt });
    expect(after._rev).not.toBe(_rev);
    const stale = await entry.put({ data: { title: 'x' }, _rev });
    expect(statusAndCode(stale)).toEqual([409, 'CONFLICT']);
  });

  it('rewrites the draft and the live values of a published entry, and keeps other values of the draft', async () => {
    const big = '{"n":12345678901234567890}';
    const entry = await createPost({ title: oldPhoto });
    await entry.publish();
    await admin.put(entry.path, undefined, {
      headers: { 'content-type': 'application/json' },
      rawBody: `{"data":{"title":"Draft ${oldPhoto}","raw":${big}}}`,
    });
    expect((await rewrite()).data).toMatchObject({ updated: 1, urlsRewritten: 3 });
    const { item } = await entry.get();
    expect(item.data.title).toBe(`Draft ${newPhoto()}`);
    expect(item.liveData.title).toBe(newPhoto());
    expect((await admin.get(entry.path)).text).toContain(big);
    await entry.unpublish();
    expect((await rewrite()).data).toEqual(nothing);
  });

  it('skips entries in the trash', async () => {
    const entry = await createPost({ title: oldPhoto });
    await entry.remove();
    expect((await rewrite()).data).toEqual(nothing);
    await entry.restore();
    expect((await rewrite()).data.updated).toBe(1);
  });

  it('rewrites only the given collections', async () => {
    const post = await createPost({ title: oldPhoto });
    const note = await createPost({ title: oldPhoto }, 'notes');
    const { data } = await rewrite({ urlMap: map, collections: ['notes'] });
    expect(data).toEqual({ updated: 1, byCollection: { notes: 1 }, urlsRewritten: 1, errors: [] });
    expect((await note.get()).item.data.title).toBe(newPhoto());
    expect((await post.get()).item.data.title).toBe(oldPhoto);
    expect((await rewrite()).data.byCollection).toEqual({ posts: 1 });
  });

  it('rewrites sections, widgets and menu items, without counting them as entries', async () => {
    await admin.post('/sections', { slug: 'hero', title: 'Hero', content: [image] });
    await admin.post('/widget-areas', { name: 'side', label: 'Side' });
    await admin.post('/widget-areas/side/widgets', { type: 'content', content: [image] });
    await admin.post('/menus', { name: 'main', label: 'Main' });
    await admin.post('/menus/main/items', { type: 'custom', label: 'Photo', customUrl: oldPhoto });
    const before = (await admin.get('/sections/hero')).data;
    expect((await rewrite()).data).toEqual({ ...nothing, urlsRewritten: 3 });
    const section = (await admin.get('/sections/hero')).data;
    expect(section).toEqual({ ...before, content: [rewrittenImage()] });
    expect((await admin.get('/widget-areas/side')).data.widgets[0].content).toEqual([rewrittenImage()]);
    expect((await admin.get('/menus/main')).data.items[0].customUrl).toBe(newPhoto());
    expect((await rewrite()).data).toEqual(nothing);
  });

  it('adds the images to the usage index', async () => {
    const usage = await UsageSite.open();
    await usage.track();
    const id = await usage.media();
    const { storageKey } = (await usage.admin.get(`/media/${id}`)).data.item;
    const url = `${base}/used.jpg`;
    const body = [{ _type: 'image', asset: { _ref: '17', url } }];
    const entry = await usage.entry({ body, hero: { ...external, src: url } });
    const response = await usage.admin.post(path, {
      urlMap: { [url]: `/_cms/api/media/file/${storageKey}` },
    });
    expect(response.data).toMatchObject({ updated: 1, urlsRewritten: 2 });
    const uses = await eventually(
      () => usage.occurrences(id),
      ({ length }) => length === 2,
    );
    expect(uses.sort()).toEqual([`${entry.id} columns body.0`, `${entry.id} columns hero`]);
    await usage.close();
  });

  it('reports a value that the field refuses, and writes the others', async () => {
    const urlMap = {
      [`${base}/gone.jpg`]: '/_cms/api/media/file/unknown.jpg',
      ...map,
    };
    const gone = await createPost({ title: oldPhoto, cover: { ...external, src: `${base}/gone.jpg` } });
    const { data } = await rewrite({ urlMap });
    expect(data).toMatchObject({
      updated: 1,
      errors: [{ collection: 'posts', id: gone.id, error: expect.stringMatching(/^cover: /) }],
    });
    expect((await gone.get()).item.data).toMatchObject({
      title: newPhoto(),
      cover: { provider: 'external', src: `${base}/gone.jpg` },
    });
    await gone.remove();
  });

  it('reports an entry whose new value is not unique, and writes the others of the page', async () => {
    const owner = await createPost({ code: newPhoto() });
    const clashing = await createPost({ code: oldPhoto });
    const other = await createPost({ title: oldPhoto });
    const { data } = await rewrite();
    expect(data).toMatchObject({ updated: 1, errors: [{ collection: 'posts', id: clashing.id }] });
    expect((await other.get()).item.data.title).toBe(newPhoto());
    expect((await clashing.get()).item.data.code).toBe(oldPhoto);
    for (const entry of [owner, clashing]) await entry.remove();
  });

  it('loses neither its own change nor a concurrent save', async () => {
    const entry = await createPost({ title: oldPhoto, note: 'before' });
    await rowLock.acquire('SELECT 1 FROM content_posts WHERE id = $1 FOR UPDATE', [entry.id]);
    const saving = entry.put({ data: { note: 'after' } });
    await waitUntilBlocked(site, ['content_posts'], 1);
    const rewriting = rewrite();
    await waitUntilBlocked(site, ['content_posts'], 2);
    await rowLock.release();
    expect((await saving).status).toBe(200);
    expect((await rewriting).data.updated).toBe(1);
    expect((await entry.get()).item.data).toMatchObject({ title: newPhoto(), note: 'after' });
  });

  it('rewrites many entries', async () => {
    for (let index = 0; index < 250; index += 1) await createPost({ title: `${index} ${oldPhoto}` }, 'notes');
    expect((await rewrite()).data).toMatchObject({ updated: 250, byCollection: { notes: 250 } });
    expect((await rewrite()).data).toEqual(nothing);
  });

  it('follows in the import record, so that the change counts as no edit', async () => {
    const [unedited, edited] = [await createPost({ title: oldPhoto }), await createPost({ title: oldPhoto })];
    const { version } = unedited.item;
    for (const [index, { id }] of [unedited, edited].entries())
      await site.sql(
        `INSERT INTO import_records (site, source_type, source_id, kind, target_id, collection, import_id, updated_by,
           fingerprint, target_version) VALUES ('a', 'post', $1, 'entry', $2, 'posts', 'i', 'i', '', $3)`,
        [String(index), id, version - index],
      );
    await rewrite();
    expect(
      await site.sql('SELECT source_id AS id, target_version AS version FROM import_records ORDER BY 1'),
    ).toEqual([
      { id: '0', version: version + 1 },
      { id: '1', version: version - 1 },
    ]);
  });

  it.each<[string, object, string[]]>([
    ['no map', {}, ['urlMap']],
    ['an unsafe new address', { urlMap: { [oldPhoto]: 'javascript:alert(1)' } }, [`urlMap.${oldPhoto}`]],
    ['a number', { urlMap: { [oldPhoto]: 7 } }, [`urlMap.${oldPhoto}`]],
    ['an unknown collection', { urlMap: {}, collections: ['gone'] }, ['collections.0']],
  ])('rejects %s', async (_name, body, paths) => {
    const response = await rewrite(body);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(paths);
  });

  it('accepts a map of many addresses, and rejects a body above 10 MB', async () => {
    const entry = await createPost({ title: oldPhoto });
    const many = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [
        `${base}/many-${index}.jpg`,
        `/_cms/api/media/file/${index}`,
      ]),
    );
    expect((await rewrite({ urlMap: { ...many, ...map } })).data.updated).toBe(1);
    expect((await entry.get()).item.data.title).toBe(newPhoto());
    const large = { urlMap: { [oldPhoto]: '/x' }, more: 'x'.repeat(11 * 1024 * 1024) };
    expect(statusAndCode(await rewrite(large))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('rejects a session without the CSRF header', async () => {
    const session = await site.signedIn('admin');
    const response = await session.post(path, { urlMap: {} }, { headers: { 'x-cms-request': undefined } });
    expect(statusAndCode(response)).toEqual([403, 'CSRF_REJECTED']);
  });

  it('changes no other site, and finds no media item of one', async () => {
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    await other.collection({ slug: 'posts', fields });
    const entry = await createEntry(otherAdmin, 'posts', {
      body: undefined,
      title: oldPhoto,
      cover: external,
    });
    await rewrite();
    expect((await entry.get()).item.data.title).toBe(oldPhoto);
    expect((await otherAdmin.post(path, { urlMap: map })).data.errors).toHaveLength(1);
    expect((await entry.get()).item.data.cover).toMatchObject({ provider: 'external' });
    await other.close();
  });

  it('is rejected while the site is read-only', async () => {
    const readOnly = await openSite();
    await readOnly.sql("INSERT INTO read_only_modes (code) VALUES ('MEDIA_USAGE_ACTIVATION_IN_PROGRESS')");
    const response = await (await readOnly.as('admin')).post(path, { urlMap: {} });
    expect(statusAndCode(response)).toEqual([503, 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS']);
    await readOnly.close();
  });
});
