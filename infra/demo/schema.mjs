/** Where each type of the source goes. */
export const collections = { post: 'posts', page: 'pages', product: 'products' };

const fields = [
  { slug: 'title', label: 'Title', type: 'string', required: true, searchable: true, indexed: true },
  { slug: 'content', label: 'Content', type: 'portableText', searchable: true },
  { slug: 'excerpt', label: 'Excerpt', type: 'text' },
  { slug: 'image', label: 'Image', type: 'image' },
  { slug: 'source_id', label: 'Source', type: 'string', unique: true, indexed: true },
];

const reference = (slug, label, validation) => ({ slug, label, type: 'reference', validation });

/** Comments wait for approval, and entries of long ago take them too. */
const takesComments = { commentsEnabled: true, commentsModeration: 'all', commentsClosedAfterDays: 0 };

/** Makes the collections with their fields, where an earlier run did not. */
export async function createCollections({ call }) {
  for (const slug of Object.values(collections)) {
    const label = slug[0].toUpperCase() + slug.slice(1);
    const collection = { slug, label, supports: ['drafts', 'revisions', 'search'] };
    await call('POST', '/schema/collections', collection, ['COLLECTION_EXISTS']);
    for (const field of fields) await createField(call, slug, field);
  }
  await createReferences(call);
  const { item } = await call('GET', '/schema/collections/posts');
  if (!item.commentsEnabled) await call('PUT', '/schema/collections/posts', takesComments);
}

/** Posts and pages are partly in Japanese, which is found by parts of words; products are in English. */
const tokenizers = { posts: 'trigram', pages: 'trigram', products: 'porter unicode61' };

/** Makes the collections searchable, and says how many entries can be found. */
export async function enableSearch({ call }) {
  for (const [collection, tokenize] of Object.entries(tokenizers)) {
    const { indexed } = await call('POST', '/search/enable', { collection, enabled: true, tokenize });
    console.log(`${collection.padEnd(9)} ${indexed} entries can be found`);
  }
}

/** Posts point at related ones; a page points at the page above it, and the other end of that shows the pages below. */
async function createReferences(call) {
  await createField(
    call,
    'posts',
    reference('related', 'Related posts', { targetCollection: 'posts', multiple: true }),
  );
  await createField(call, 'pages', reference('parent', 'Parent page', { targetCollection: 'pages' }));
  const relation = await relationOf({ call }, 'pages', 'parent');
  await createField(call, 'pages', reference('subpages', 'Pages below', { relation, relationSide: 'child' }));
}

const createField = (call, collection, field) =>
  call('POST', `/schema/collections/${collection}/fields`, field, ['FIELD_EXISTS']);

/** The slug of the relation that a reference field views. */
export async function relationOf({ call }, collection, field) {
  const { item } = await call('GET', `/schema/collections/${collection}?includeFields=true`);
  return item.fields.find(({ slug }) => slug === field).validation.relation;
}
