import { createImage, uploadFile, type ApiResponse, type Client } from '@quire/testing';
import { exampleFile, importFile } from '../import/support.js';

/** Sends requests that must succeed. @returns the data of each response */
const senderOf = (client: Client) => async (method: 'post' | 'put', path: string, body: object) => {
  const response: ApiResponse = await client[method](path, body);
  if (response.status >= 300)
    throw new Error(`${method} ${path}: ${response.status} ${response.error.message}`);
  return response.data;
};

const fields = [
  { slug: 'title', label: 'Title', type: 'string', required: true, searchable: true },
  { slug: 'link', label: 'Link', type: 'url' },
  { slug: 'price', label: 'Price', type: 'number' },
  { slug: 'stock', label: 'Stock', type: 'integer', indexed: true },
  { slug: 'is_new', label: 'New', type: 'boolean' },
  { slug: 'at', label: 'At', type: 'datetime' },
  { slug: 'color', label: 'Color', type: 'select', validation: { options: ['red', 'green'] } },
  { slug: 'extra', label: 'Extra', type: 'json' },
  { slug: 'photo', label: 'Photo', type: 'image' },
  { slug: 'attachment', label: 'Attachment', type: 'file' },
  { slug: 'code', label: 'Code', type: 'string', unique: true },
  {
    slug: 'related',
    label: 'Related',
    type: 'reference',
    validation: { targetCollection: 'things', multiple: true },
  },
  { slug: 'blocks', label: 'Blocks', type: 'blocks', validation: { allowedTypes: ['quote'] } },
];

/**
 * Fills a site through the API: an export of another platform with its entries, terms, bylines, menus, sections and
 * comments, and what such an export does not have.
 */
export async function fillSite(admin: Client): Promise<void> {
  const send = senderOf(admin);
  await importFile(admin, exampleFile('wxr11-small.xml'));
  const quote = { slug: 'quote', label: 'Quote', fields: [{ slug: 'text', label: 'Text', type: 'text' }] };
  const { versions } = (await send('post', '/schema/block-types', quote)).item;
  const expectedFingerprint = versions[0].fingerprint as string;
  const source = { slug: 'source', label: 'Source', type: 'string' };
  await send('put', '/schema/block-types/quote', { expectedFingerprint, fields: [...quote.fields, source] });
  const supports = ['drafts', 'revisions', 'scheduling', 'search', 'seo'];
  await send('post', '/schema/collections', { slug: 'things', label: 'Things', supports });
  for (const field of fields) await send('post', '/schema/collections/things/fields', field);
  await addMedia(admin, send);
  await addPresentation(send);
}

type Send = ReturnType<typeof senderOf>;

async function addMedia(admin: Client, send: Send): Promise<void> {
  const folder = await send('post', '/media/folders', { name: 'Pictures' });
  const image = await createImage();
  const { data } = await uploadFile(admin, { bytes: image, type: 'image/png', filename: 'größe.png' });
  const id = data.item.id as string;
  await send('put', `/media/${id}`, { alt: 'A picture', folderId: folder.item.id });
  const thing = async (slug: string, values: object, more: object = {}) =>
    (await send('post', '/content/things', { slug, data: { title: slug, ...values }, ...more })).item
      .id as string;
  const first = await thing('first', {
    link: 'https://a.example/?q=1',
    price: 0.1,
    stock: 5,
    is_new: true,
    at: '2026-01-02T03:04:05.006Z',
    color: 'red',
    extra: { b: 1, a: [null, 'é'] },
    photo: { id },
    attachment: { id },
    code: 'c-1',
    blocks: [{ _type: 'quote', _version: 1, _key: 'k', text: 'Q' }],
  });
  const second = await thing('second', { code: 'c-2' });
  await send('put', `/content/things/${first}`, { references: { related: [second] } });
  await send('post', `/content/things/${first}/publish`, {});
  await send('put', `/content/things/${first}`, {
    data: { title: 'Draft of the first' },
    slug: 'first-moved',
  });
  await thing('erste', { code: 'c-3' }, { locale: 'de', translationOf: first });
  await send('post', `/content/things/${second}/schedule`, { scheduledAt: '2099-01-01T00:00:00.000Z' });
  const trashed = await thing('trashed', { code: 'c-4' });
  await admin.delete(`/content/things/${trashed}`);
}

async function addPresentation(send: Send): Promise<void> {
  await send('put', '/settings', { title: 'The moved site', tagline: 'With everything' });
  await send('post', '/redirects', { source: '/old', destination: '/new' });
  await send('post', '/redirects', { source: '/a/[...rest]', destination: '/b/[...rest]', type: 302 });
  await send('post', '/widget-areas', { name: 'side', label: 'Side' });
  await send('post', '/widget-areas/side/widgets', {
    type: 'component',
    componentId: 'search',
    title: 'Search',
  });
  await send('post', '/sections', { slug: 'hero', title: 'Hero', content: [] });
}
