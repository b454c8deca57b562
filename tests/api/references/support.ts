import { beforeAll, beforeEach } from '@jest/globals';
import {
  createEntry,
  itemOf,
  useSite,
  type ApiResponse,
  type Client,
  type FieldInput,
  type Site,
} from '@quire/testing';

/** Slugs of two collections with revisions: `books`, whose field `authors` references many of `people`. */
export interface Library {
  books: string;
  people: string;
}

let count = 0;

/** Creates a library. @param options.personFields fields of `people` instead of title and body */
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

/**
 * Opens a site for a file, with a library that is new for each test. `people` have a name.
 * @returns clients of an administrator and a subscriber, the slugs of the library, and shortcuts to create its entries
 */
export function useLibrary() {
  const site = useSite();
  let admin: Client;
  let reader: Client;
  let library: Library;
  beforeAll(async () => {
    [admin, reader] = [await site.as('admin'), await site.as('subscriber')];
  });
  beforeEach(async () => {
    library = await createLibrary(site, { personFields: [{ slug: 'name', type: 'string' }] });
  });
  const person = async (name: string, more: object = {}) =>
    itemOf(await admin.post(`/content/${library.people}`, { data: { name }, ...more }));
  return {
    site,
    get admin() {
      return admin;
    },
    get reader() {
      return reader;
    },
    get books() {
      return library.books;
    },
    get people() {
      return library.people;
    },
    person,
    persons: (...names: string[]) => Promise.all(names.map((name) => person(name))),
    book: (references: object = {}, more: object = {}) =>
      createEntry(admin, library.books, {}, { references, ...more }),
    addField: (slug: string, validation: object, more: object = {}, collection = library.books) =>
      addReference(admin, collection, slug, validation, more),
  };
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

/** Creates two collections. @returns their slugs, and an unused slug for a relation between them */
export async function createPostsAndTags(
  site: Site,
): Promise<{ posts: string; tags: string; relation: string }> {
  count += 1;
  const [posts, tags, relation] = [`posts_${count}`, `tags_${count}`, `rel_${count}`];
  await site.collection({ slug: posts });
  await site.collection({ slug: tags });
  return { posts, tags, relation };
}

/** Input of POST /relations. */
export const relationBetween = (parentCollection: string, childCollection: string, slug: string) => ({
  slug,
  parentCollection,
  childCollection,
  parentLabel: 'Posts',
  childLabel: 'Tags',
});
