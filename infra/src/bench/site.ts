import { request } from 'undici';
import { readJson } from './responses.js';
import type { Site } from './systems.js';

const concurrency = 20;
const linkedCount = 20;
const referencesOfEach = 60;
const maxCreditedCount = 200;
const termCount = 7;

/** The entries of a site that the benchmark fills. */
export interface SiteContent {
  ids: string[];
  /** Entries that reference others. */
  linkedIds: string[];
  termIds: string[];
  authorId: string;
  hasBylines: boolean;
}

export type FilledSite = Site & SiteContent;

/** The address of a site's API, and the headers of its requests. */
type ApiAccess = Pick<Site, 'origin' | 'headers'>;

/** A created entry. */
interface Entry {
  id: string;
  authorId: string;
}

/**
 * Calls a site's API.
 * @param allowed error statuses for which the result is undefined
 * @returns the data of the response
 * @throws Error on any other error status
 */
export async function api<Data = unknown>(
  site: ApiAccess,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  allowed: readonly number[] = [],
): Promise<Data> {
  const response = await request(`${site.origin}/_cms/api${path}`, {
    method,
    headers: { ...site.headers, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  if (allowed.includes(response.statusCode)) {
    await response.body.dump();
    return undefined as Data;
  }
  return (await readJson<{ data: Data }>(`${method} ${path}`, response)).data;
}

export async function createCollection(
  site: ApiAccess,
  slug: string,
  references: object[] = [],
): Promise<void> {
  await api(site, 'POST', '/schema/collections', { slug, label: slug });
  const fields = [
    ['title', 'string', true],
    ['body', 'text', false],
    ['rank', 'integer', true],
    ['active', 'boolean', true],
  ].map(([name, type, indexed]) => ({ slug: name, label: name, type, indexed }));
  for (const field of [...fields, ...references])
    await api(site, 'POST', `/schema/collections/${slug}/fields`, field);
}

const defaultData = (rank: number): object => ({
  title: `Entry ${rank}`,
  body: 'x'.repeat(2_000),
  rank,
  active: rank % 2 === 0,
});

interface EntryOptions {
  /** The field values of an entry by its number. */
  data?: (rank: number) => object;
  /** Other properties of the request. */
  more?: (rank: number) => object;
}

/** Creates entries. */
export async function createEntries(
  site: ApiAccess,
  collection: string,
  count: number,
  { data = defaultData, more = () => ({}) }: EntryOptions = {},
): Promise<Entry[]> {
  const created: { item: Entry }[] = [];
  for (let index = 0; index < count; index += concurrency) {
    const some = Array.from({ length: Math.min(concurrency, count - index) }, (_, place) => {
      const rank = index + place;
      const body = { data: data(rank), ...more(rank) };
      return api<{ item: Entry }>(site, 'POST', `/content/${collection}`, body);
    });
    created.push(...(await Promise.all(some)));
  }
  return created.map(({ item }) => item);
}

/** Entries with 60 references each. */
async function createLinkedEntries(site: ApiAccess, ids: readonly string[]): Promise<string[]> {
  const rules = { targetCollection: 'bench', multiple: true };
  const field = { slug: 'related', label: 'Related', type: 'reference', validation: rules };
  await createCollection(site, 'linked', [field]);
  const selected = (index: number) =>
    Array.from({ length: referencesOfEach }, (_, place) => ids[(index * 7 + place * 11) % ids.length]);
  const more = (index: number) => ({ references: { related: selected(index) } });
  const entries = await createEntries(site, 'linked', linkedCount, { more });
  return entries.map(({ id }) => id);
}

/**
 * Entries with two credits each, and as many with the byline of their author.
 * @returns false when the API has no bylines
 */
async function createCreditedEntries(
  site: ApiAccess,
  { authorId, count }: { authorId: string; count: number },
): Promise<boolean> {
  const byline = (slug: string, more: object) => ({
    slug,
    displayName: `Byline ${slug}`,
    bio: 'Writes now and then.',
    ...more,
  });
  const path = '/admin/bylines';
  const own = await api(site, 'POST', path, byline('own', { userId: authorId }), [404]);
  if (!own) return false;
  const guests: string[] = [];
  for (const slug of ['guest-a', 'guest-b', 'guest-c'])
    guests.push((await api<{ id: string }>(site, 'POST', path, byline(slug, { isGuest: true }))).id);
  const credits = (index: number) => [
    { bylineId: guests[index % 3] },
    { bylineId: guests[(index + 1) % 3], roleLabel: 'Photographs' },
  ];
  await createCollection(site, 'credited');
  const more = (index: number) => (index % 2 === 0 ? { bylines: credits(index) } : {});
  await createEntries(site, 'credited', count, { more });
  return true;
}

async function createTerms(site: ApiAccess): Promise<string[]> {
  const taxonomy = { name: 'topics', label: 'Topics', collections: ['bench'] };
  await api(site, 'POST', '/taxonomies', taxonomy);
  const ids: string[] = [];
  for (let index = 0; index < termCount; index += 1) {
    const body = { label: `Topic ${index}` };
    const { term } = await api<{ term: { id: string } }>(site, 'POST', '/taxonomies/topics/terms', body);
    ids.push(term.id);
  }
  return ids;
}

/** Publishes entries. */
export async function publishEntries(
  site: ApiAccess,
  collection: string,
  entries: readonly Pick<Entry, 'id'>[],
): Promise<void> {
  for (let index = 0; index < entries.length; index += concurrency)
    await Promise.all(
      entries
        .slice(index, index + concurrency)
        .map(({ id }) => api(site, 'POST', `/content/${collection}/${id}/publish`, {})),
    );
}

/** Fills a site. @param entryCount published entries of 2 KB each */
export async function fillSite(site: Site, entryCount: number): Promise<FilledSite> {
  await createCollection(site, 'bench');
  // New entries go elsewhere, so that lists have one length in every round and every variant.
  await createCollection(site, 'growing');
  const entries = await createEntries(site, 'bench', entryCount);
  await publishEntries(site, 'bench', entries);
  const ids = entries.map(({ id }) => id);
  const authorId = entries[0]?.authorId ?? '';
  return {
    ...site,
    ids,
    linkedIds: await createLinkedEntries(site, ids),
    termIds: await createTerms(site),
    authorId,
    hasBylines: await createCreditedEntries(site, {
      authorId,
      count: Math.min(entryCount, maxCreditedCount),
    }),
  };
}
