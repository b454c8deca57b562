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

/** Fields for lists: one of each type that lists sort and filter by, and two that they do not. */
export const variedFields: FieldInput[] = [
  { slug: 'title', type: 'string', searchable: true },
  { slug: 'body', type: 'text', searchable: true },
  { slug: 'secret', type: 'string' },
  { slug: 'rank', type: 'integer', indexed: true },
  { slug: 'price', type: 'number', indexed: true },
  { slug: 'starts', type: 'datetime', indexed: true },
  { slug: 'active', type: 'boolean', indexed: true },
  { slug: 'kind', type: 'select', indexed: true, validation: { options: ['a', 'b', "o'clock"] } },
  { slug: 'link', type: 'url', indexed: true },
];

/** Thirty entries with these fields: every third without values, ties everywhere, three statuses, two locales. */
export async function createVariedEntries(client: Client, collection = 'posts'): Promise<void> {
  for (let index = 0; index < 30; index += 1) {
    const isEmpty = index % 3 === 0;
    const data = {
      title: `Title ${String.fromCharCode(97 + (index % 5))}`,
      secret: `hidden ${index}`,
      rank: isEmpty ? null : (index % 4) - 1,
      price: isEmpty ? null : (index % 5) / 10,
      starts: isEmpty ? null : `2025-01-0${1 + (index % 3)}T00:00:00.00${index % 2}Z`,
      active: isEmpty ? null : index % 2 === 0,
      kind: isEmpty ? null : ['a', 'b', "o'clock"][index % 3],
      link: isEmpty ? null : `/${index % 3}`,
    };
    const created = await client.post(`/content/${collection}`, {
      data,
      locale: index % 10 === 0 ? 'de' : 'en',
      ...(index % 7 === 0 ? { slug: null, data: { ...data, title: null } } : {}),
    });
    const path = `/content/${collection}/${created.data.item.id}`;
    if (index % 4 === 1) await client.post(`${path}/publish`);
    if (index % 6 === 2)
      await client.post(`${path}/schedule`, { scheduledAt: `2099-01-0${1 + (index % 2)}T00:00:00Z` });
  }
}
