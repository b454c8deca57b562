import { createEntry, type Client, type FieldInput, type Site, type TestEntry } from '@quire/testing';

/** A time far in the future, for schedules. */
export const future = '2099-01-01T00:00:00.000Z';

export const textFields: FieldInput[] = [
  { slug: 'title', type: 'string' },
  { slug: 'body', type: 'text' },
];

/** An entry as lists return it. */
export interface ListedEntry {
  id: string;
  slug: string | null;
  data: Record<string, unknown>;
  [key: string]: unknown;
}

/** The parameter that filters a list by values of fields. */
export const fieldFilters = (value: unknown) => `fieldFilters=${encodeURIComponent(JSON.stringify(value))}`;

/** Creates an entry with these values only; `createEntry` adds a title and a body to them. */
export const createExactEntry = (
  client: Client,
  collection = 'posts',
  data: object = { title: 'Entry', body: 'old' },
  more: object = {},
): Promise<TestEntry> =>
  createEntry(client, collection, { title: undefined, body: undefined, ...data }, more);

/** The row of an entry in the table of its collection, which holds the live values. */
export async function rowOf(
  site: Site,
  { id, path }: TestEntry,
): Promise<{ title: string; body: string; slug: string } | undefined> {
  const [, , collection] = path.split('/');
  const [row] = await site.sql<{ title: string; body: string; slug: string }>(
    `SELECT title, body, slug FROM content_${collection} WHERE id = $1`,
    [id],
  );
  return row;
}
