import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createImage, uploadFile, useSite, type Client } from '@quire/testing';
import { exportOf, type SourceItem } from './export-builder.js';
import { allMappings, allSections, dataOf, entriesIn, execute, prepareFor, type Entry } from './support.js';

const site = useSite();
let admin: Client;
/** The media items that the attachments were downloaded as. */
let items: Record<'a' | 'b' | 'c', { id: string; storageKey: string }>;

const uploads = 'https://source.example/wp-content/uploads/2024';
/** Where the site was before; the guid of one of its attachments shows it. */
const former = 'http://former.example/blog/wp-content/uploads/2024';
const addressOf = (name: keyof typeof items) => `${uploads}/${name}.png`;
const element = (name: string, value: string) => `<${name}>${value}</${name}>`;

const attachment = (id: number, name: keyof typeof items, guid: string): SourceItem => ({
  id,
  type: 'attachment',
  status: 'inherit',
  meta: { _wp_attached_file: `2024/${name}.png` },
  raw: element('guid', guid) + element('wp:attachment_url', addressOf(name)),
});
const attachments = [
  attachment(101, 'a', `${former}/a.png`),
  attachment(102, 'b', 'https://source.example/?attachment_id=102'),
  attachment(103, 'c', `${uploads}/before-the-edit.png`),
];

/** The body of the post, with the files under other addresses than those of the attachments. */
const body = `<!-- wp:image {"id":102} --><figure><img src="http://www.former.example/blog/wp-content/uploads/2024/b-300x200.png" class="wp-image-102"/></figure><!-- /wp:image -->
<!-- wp:gallery --><figure><img src="${former}/a.png"/><img src="${uploads}/before-the-edit.png"/></figure><!-- /wp:gallery -->
<!-- wp:cover --><div class="wp-block-cover"><img class="wp-block-cover__image-background" src="${former}/b.png"/></div><!-- /wp:cover -->
<!-- wp:file --><div class="wp-block-file"><a href="${former}/a.png">A</a></div><!-- /wp:file -->
<!-- wp:video --><figure><video src="${former}/c.mp4" poster="${former}/b.png"></video></figure><!-- /wp:video -->
<!-- wp:paragraph --><p><a href="${former}/a-scaled.png">Link</a></p><!-- /wp:paragraph -->
<!-- wp:html --><img srcset="${former}/a-5x5.png 5w, ${former}/b.png 7w"><!-- /wp:html -->
<!-- wp:image --><figure><img src="https://friend.example/blog/wp-content/uploads/2024/b.png"/></figure><!-- /wp:image -->`;
const fileOf = (more: Partial<SourceItem> = {}, sections: SourceItem[] = []) => {
  const post = { id: 1, content: body, meta: { _thumbnail_id: '101' }, ...more };
  return exportOf([post, ...attachments, ...sections]);
};

/** What was downloaded is in the library, by the hash of its address: tests reach no public server. */
async function download(name: keyof typeof items, width: number) {
  const bytes = await createImage({ width });
  const { item } = (await uploadFile(admin, { bytes, type: 'image/png', filename: `${name}.png` })).data;
  const hash = createHash('sha256').update(addressOf(name)).digest('hex');
  await site.sql('INSERT INTO media_sources (url_hash, media_id) VALUES ($1, $2)', [hash, item.id]);
  return item as { id: string; storageKey: string };
}
const newUrl = (name: keyof typeof items) => `/_cms/api/media/file/${items[name].storageKey}`;
const run = async (file: string) =>
  dataOf(await execute(admin, file, { postTypeMappings: { post: { collection: 'posts' } } }));
const postOf = async (): Promise<Entry> => {
  const [post, ...others] = await entriesIn(admin, 'posts');
  if (!post || others.length > 0) throw new Error('There is not one post');
  return post;
};
/** The blocks that name files. */
const localBlocks = () => [
  { _type: 'image', asset: { _ref: items.b.id, url: newUrl('b') } },
  {
    _type: 'gallery',
    images: [
      { asset: { _ref: items.a.id, url: newUrl('a') } },
      { asset: { _ref: items.c.id, url: newUrl('c') } },
    ],
  },
  { _type: 'cover', backgroundImage: newUrl('b') },
  { _type: 'file', url: newUrl('a') },
  { _type: 'embed', url: `${former}/c.mp4`, poster: newUrl('b') },
  { _type: 'block', markDefs: [{ href: newUrl('a') }] },
  { _type: 'htmlBlock', html: `<img srcset="${newUrl('a')} 5w, ${newUrl('b')} 7w">` },
  { _type: 'image', asset: { url: 'https://friend.example/blog/wp-content/uploads/2024/b.png' } },
];
const localImage = (name: keyof typeof items) => ({
  provider: 'local',
  id: items[name].id,
  mimeType: 'image/png',
  meta: { storageKey: items[name].storageKey },
});

beforeAll(async () => {
  admin = await site.as('admin');
  const analysis = await prepareFor(admin, fileOf());
  expect(Object.keys(allMappings(analysis))).toEqual(['post']);
  dataOf(await execute(admin, fileOf(), { postTypeMappings: allMappings(analysis) }));
  items = { a: await download('a', 11), b: await download('b', 12), c: await download('c', 13) };
});

describe('the addresses of an export that name a file otherwise than its attachment', () => {
  let before: Entry;

  it('are in the map of a download whose list has only ids and addresses', async () => {
    const list = attachments.map(({ id }, index) => ({
      id,
      url: addressOf((['a', 'b', 'c'] as const)[index] ?? 'a'),
    }));
    const { data } = await admin.post('/import/legacy/media', { attachments: list, stream: false });
    expect(data.failed).toEqual([]);
    expect(data.urlMap).toEqual({
      [addressOf('a')]: newUrl('a'),
      [addressOf('b')]: newUrl('b'),
      [addressOf('c')]: newUrl('c'),
      [`${former}/a.png`]: newUrl('a'),
      [`${former}/b.png`]: newUrl('b'),
      [`${former}/c.png`]: newUrl('c'),
      [`${uploads}/before-the-edit.png`]: newUrl('c'),
    });
    const rewritten = await admin.post('/import/legacy/rewrite-urls', { urlMap: data.urlMap });
    expect(rewritten.data).toMatchObject({ updated: 1, errors: [] });
    before = await postOf();
    expect(before.data.content).toMatchObject(localBlocks());
    expect(before.data.featured_image).toMatchObject(localImage('a'));
  });

  it('do not come back when the unchanged export is imported again', async () => {
    expect(await run(fileOf())).toMatchObject({ updated: 0, skipped: 1 });
    expect(await postOf()).toEqual(before);
  });

  it('do not come back when a changed entry is imported again, which rewriting has not edited', async () => {
    expect(await run(fileOf({ title: 'Changed' }))).toMatchObject({ updated: 1, skipped: 0, warnings: [] });
    const after = await postOf();
    expect(after.data).toEqual({ ...before.data, title: 'Changed' });
  });

  it('are local at once in a new section', async () => {
    const section = { id: 7, type: 'wp_block', slug: 'hero', content: body };
    await run(fileOf({ title: 'Changed' }, [section]));
    expect((await allSections(admin)).map(({ content }) => content)).toMatchObject([localBlocks()]);
  });

  it('stay for a media item that was deleted', async () => {
    expect((await admin.delete(`/media/${items.a.id}`)).status).toBe(200);
    expect(await run(fileOf({ title: 'Again' }))).toMatchObject({ updated: 1 });
    const { content, featured_image: image } = (await postOf()).data;
    const [first, , cover, file] = localBlocks();
    expect([content[0], content[2]]).toMatchObject([first, cover]);
    expect(content[3]).toMatchObject({ ...file, url: `${former}/a.png` });
    expect(content[1].images[0].asset.url).toBe(`${former}/a.png`);
    expect(image).toMatchObject({ provider: 'external', src: addressOf('a') });
  });
});
