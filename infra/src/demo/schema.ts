import type { Api } from './api.js';

interface CollectionResponse {
  item: {
    commentsEnabled: boolean;
    fields?: { slug: string; validation?: { relation?: string } }[];
  };
}

/** Comments wait for approval; old entries accept them too. */
const takesComments = { commentsEnabled: true, commentsModeration: 'all', commentsClosedAfterDays: 0 };

/** Makes the imported comments public. */
export async function openComments(api: Api): Promise<void> {
  for (const collection of ['posts', 'pages']) {
    const path = `/schema/collections/${collection}`;
    const { item } = await api.call<CollectionResponse>('GET', path);
    if (!item.commentsEnabled) await api.call('PUT', path, takesComments);
  }
}

/** Adds a field of related posts. @returns the slug of its relation */
export async function createRelated(api: Api): Promise<string> {
  const path = '/schema/collections/posts';
  await api.callAllowing('FIELD_EXISTS', 'POST', `${path}/fields`, {
    slug: 'related',
    label: 'Related posts',
    type: 'reference',
    validation: { targetCollection: 'posts', multiple: true },
  });
  const { item } = await api.call<CollectionResponse>('GET', `${path}?includeFields=true`);
  const relation = item.fields?.find(({ slug }) => slug === 'related')?.validation?.relation;
  if (relation === undefined) throw new Error('posts.related has no relation');
  return relation;
}

/** Posts and pages are partly in Japanese, which needs the search for parts of words; products are in English. */
const tokenizers = { posts: 'trigram', pages: 'trigram', products: 'porter unicode61' };

/** Makes the collections searchable, and prints the numbers of indexed entries. */
export async function enableSearch(api: Api): Promise<void> {
  for (const [collection, tokenize] of Object.entries(tokenizers)) {
    const body = { collection, enabled: true, tokenize };
    const { indexed } = await api.call<{ indexed: number }>('POST', '/search/enable', body);
    const { total } = await api.call<{ total: number }>('GET', `/content/${collection}?limit=1`);
    console.log(`  ${collection.padEnd(9)} ${total} entries, ${indexed} published ones can be found`);
  }
}
