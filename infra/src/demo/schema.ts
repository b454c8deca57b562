import type { Api } from './api.js';

/** The collection of each type of the source. */
export const collections = { post: 'posts', page: 'pages', product: 'products' };

/** The collection of a type; undefined for other types. */
export const collectionOf = (type: string): string | undefined =>
  (collections as Readonly<Record<string, string>>)[type];

const fields = [
  { slug: 'title', label: 'Title', type: 'string', required: true, searchable: true, indexed: true },
  { slug: 'content', label: 'Content', type: 'portableText', searchable: true },
  { slug: 'excerpt', label: 'Excerpt', type: 'text' },
  { slug: 'image', label: 'Image', type: 'image' },
  { slug: 'source_id', label: 'Source', type: 'string', unique: true, indexed: true },
];

const reference = (slug: string, label: string, validation: object) => ({
  slug,
  label,
  type: 'reference',
  validation,
});

interface CollectionResponse {
  item: {
    commentsEnabled: boolean;
    fields?: { slug: string; validation?: { relation?: string } }[];
  };
}

/** Comments wait for approval; old entries accept them too. */
const takesComments = { commentsEnabled: true, commentsModeration: 'all', commentsClosedAfterDays: 0 };

/** Creates missing collections with their fields. */
export async function createCollections(api: Api): Promise<void> {
  for (const slug of Object.values(collections)) {
    const label = slug.charAt(0).toUpperCase() + slug.slice(1);
    const collection = { slug, label, supports: ['drafts', 'revisions', 'search'] };
    await api.callAllowing(['COLLECTION_EXISTS'], 'POST', '/schema/collections', collection);
    for (const field of fields) await createField(api, slug, field);
  }
  await createReferences(api);
  const { item } = await api.call<CollectionResponse>('GET', '/schema/collections/posts');
  if (!item.commentsEnabled) await api.call('PUT', '/schema/collections/posts', takesComments);
}

/** Posts and pages are partly in Japanese, which needs the search for parts of words; products are in English. */
const tokenizers = { posts: 'trigram', pages: 'trigram', products: 'porter unicode61' };

/** Makes the collections searchable, and prints the numbers of indexed entries. */
export async function enableSearch(api: Api): Promise<void> {
  for (const [collection, tokenize] of Object.entries(tokenizers)) {
    const body = { collection, enabled: true, tokenize };
    const { indexed } = await api.call<{ indexed: number }>('POST', '/search/enable', body);
    console.log(`${collection.padEnd(9)} ${indexed} entries can be found`);
  }
}

/** Posts reference related ones. A page references its parent; the other side of the relation shows its subpages. */
async function createReferences(api: Api): Promise<void> {
  await createField(
    api,
    'posts',
    reference('related', 'Related posts', { targetCollection: 'posts', multiple: true }),
  );
  await createField(api, 'pages', reference('parent', 'Parent page', { targetCollection: 'pages' }));
  const relation = await relationOf(api, 'pages', 'parent');
  await createField(api, 'pages', reference('subpages', 'Pages below', { relation, relationSide: 'child' }));
}

const createField = (api: Api, collection: string, field: object) =>
  api.callAllowing(['FIELD_EXISTS'], 'POST', `/schema/collections/${collection}/fields`, field);

/** The slug of a reference field's relation. @throws Error when the field has none */
export async function relationOf(api: Api, collection: string, field: string): Promise<string> {
  const path = `/schema/collections/${collection}?includeFields=true`;
  const { item } = await api.call<CollectionResponse>('GET', path);
  const relation = item.fields?.find(({ slug }) => slug === field)?.validation?.relation;
  if (relation === undefined) throw new Error(`${collection}.${field} has no relation`);
  return relation;
}
