import { itemOf, type ApiResponse, type Client, type FieldInput, type Site } from '@quire/testing';

/** Slugs of two collections with revisions: `books`, whose field `authors` selects many of `people`. */
export interface Library {
  books: string;
  people: string;
}

let count = 0;

/** @param options.personFields instead of title and body */
export async function createLibrary(
  site: Site,
  { personFields }: { personFields?: FieldInput[] } = {},
): Promise<Library> {
  count += 1;
  const [books, people] = [`books_${count}`, `people_${count}`];
  await site.collection({ slug: people, ...(personFields && { fields: personFields }) });
  await site.collection({ slug: books });
  const admin = await site.as('admin');
  await addReference(admin, books, 'authors', { targetCollection: people, multiple: true });
  return { books, people };
}

/** Adds a reference field. @returns its definition */
export async function addReference(
  admin: Client,
  collection: string,
  slug: string,
  validation: object,
  more: object = {},
): Promise<ApiResponse['data']> {
  const field = { slug, label: slug, type: 'reference', validation, ...more };
  return itemOf(await admin.post(`/schema/collections/${collection}/fields`, field));
}

/** Ids of a reference field in GET of an entry. */
export async function referencedIds(
  client: Client,
  { path }: { path: string },
  field = 'authors',
): Promise<string[]> {
  const { items } = (await client.get(path)).data.references[field] as { items: { id: string }[] };
  return items.map(({ id }) => id);
}
