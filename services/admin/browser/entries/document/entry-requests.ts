import type { ApiClient, DataOf, Operations, Schemas } from '@quire/api-client';
import type { EntryVersion } from './entry-document.js';
import type { EntryField, EntryPart, EntryValues } from './entry-fields.js';

/** An entry that a request has created. */
export interface CreatedEntry extends EntryVersion {
  id: string;
}

/** The requests of a saver; tests have their own server. */
export interface EntryRequests {
  read(id: string): Promise<EntryVersion>;
  /** A repeated creation with the same key and values returns the first one's entry. */
  create(values: EntryValues, options: { idempotencyKey: string; keepalive: boolean }): Promise<CreatedEntry>;
  /** @param options.skipRevision replaces the draft revision instead of adding one */
  update(
    id: string,
    values: EntryValues,
    options: { rev: string; skipRevision: boolean; keepalive: boolean },
  ): Promise<EntryVersion>;
}

export interface EntryAddress {
  collection: string;
  /** Of new entries. */
  locale?: string;
  /** Id of the entry that a new one translates. */
  translationOf?: string;
}

type Body = Pick<
  Operations['updateContent']['body'],
  'data' | 'slug' | 'bylines' | 'publishedAt' | 'references' | 'seo' | 'taxonomies'
>;

/**
 * The requests for entries of a collection.
 * @param onItem receives the entry of each response, for what is no field
 */
export function createEntryRequests(
  api: ApiClient,
  { collection, ...placement }: EntryAddress,
  fields: readonly EntryField[],
  onItem: (item: Schemas['ContentItem']) => void = () => undefined,
): EntryRequests {
  const versionOf = (response: EntryResponse) => {
    onItem(response.item);
    return toVersion(fields, response);
  };
  return {
    read: async (id) => versionOf(await api.call('getContent', { params: { collection, id } })),
    async create(values, { idempotencyKey, keepalive }) {
      const body = { data: {}, ...placement, ...toBody(fields, values) };
      const data = await api.call('createContent', {
        params: { collection },
        body,
        idempotencyKey,
        keepalive,
      });
      return { ...versionOf(data), id: data.item.id };
    },
    async update(id, values, { rev, skipRevision, keepalive }) {
      const body = { ...toBody(fields, values), _rev: rev, skipRevision };
      return versionOf(await api.call('updateContent', { params: { collection, id }, body, keepalive }));
    },
  };
}

/** The body of a write of these values. */
export function toBody(fields: readonly EntryField[], values: EntryValues): Body {
  const of = (part: EntryPart) => {
    const present = fields.filter((field) => field.part === part && values.has(field.key));
    return Object.fromEntries(present.map(({ key, name }) => [name, values.get(key)]));
  };
  // The server checks the types of the values.
  const parts = {
    data: of('data'),
    references: of('references'),
    seo: of('seo'),
    taxonomies: of('taxonomies'),
  };
  const present = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { ...of('property'), ...Object.fromEntries(present) } as Body;
}

/** Bytes of the body of a write, without version and options. */
export function bodySize(fields: readonly EntryField[], values: EntryValues): number {
  return new TextEncoder().encode(JSON.stringify(toBody(fields, values))).length;
}

type EntryResponse = { item: Schemas['ContentItem']; _rev: string } & Partial<
  Pick<DataOf<'getContent'>, 'references'>
>;

/** The values of an entry in a response. Keys of values that the response does not have are absent. */
export function toVersion(
  fields: readonly EntryField[],
  { item, _rev: rev, references }: EntryResponse,
): EntryVersion {
  const values = new Map<string, unknown>();
  for (const { key, name, part } of fields) {
    if (part === 'data') values.set(key, item.data[name] ?? null);
    if (part === 'seo') values.set(key, item.seo?.[name as keyof typeof item.seo] ?? null);
    if (part === 'property') values.set(key, propertyOf(item, name));
    const selection = part === 'references' ? references?.[name] : undefined;
    // A longer selection is read page by page, and edited as links.
    if (selection && selection.nextCursor === undefined)
      values.set(
        key,
        selection.items.map(({ id }) => id),
      );
  }
  return { rev, values };
}

function propertyOf(item: Schemas['ContentItem'], name: string): unknown {
  if (name === 'slug') return item.draftSlug ?? item.slug;
  if (name !== 'bylines') return item[name as 'authorId' | 'publishedAt'];
  const credits = (item.bylines ?? []).filter(({ source }) => source !== 'inferred');
  return credits.map(({ byline, roleLabel }) => ({ bylineId: byline.id, roleLabel }));
}
