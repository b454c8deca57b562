import type { Context } from '@quire/context';
import type { contentImportApi } from '@quire/internal-api';
import type { CacheInvalidationBus, OutboxDispatcher } from '@quire/jobs';
import type { AuthClient, MediaClient } from '../../clients/index.js';
import { EntryDeps, EntryLimit } from '../../entries/index.js';
import { SiteLocales } from '../../locales/index.js';
import { createField, createFieldBody, Definitions, SchemaChanges } from '../../schema/index.js';
import { SlugRedirects } from '../../site/redirects/index.js';
import { applySeed, type Seed, type SeedCollection } from '../../site/seed/index.js';
import { importEntries } from '../entries/index.js';

/** The users that the auth service of a spec has. */
export const knownUserIds = ['01USERA', '01USERB'];

const relay = { invalidate: () => undefined } as unknown as CacheInvalidationBus;

/** Dependencies of imports without other services: there are no media items, and two users. */
export function importDeps(): { entries: EntryDeps; changes: SchemaChanges } {
  const definitions = new Definitions();
  const dispatcher = { wake: () => undefined } as unknown as OutboxDispatcher;
  const media = {
    byIds: () => Promise.resolve(new Map()),
    byIdsOrEmpty: () => Promise.resolve(new Map()),
    state: () => Promise.resolve(0),
  } as unknown as MediaClient;
  const users = {
    byIds: (_: Context, ids: readonly string[]) =>
      Promise.resolve(ids.filter((id) => knownUserIds.includes(id)).map((id) => ({ id }))),
  } as unknown as AuthClient;
  const locales = new SiteLocales({ defaultLocale: 'en' });
  const entries = new EntryDeps(
    definitions,
    locales,
    dispatcher,
    new SlugRedirects(),
    media,
    users,
    new EntryLimit(),
  );
  return { entries, changes: new SchemaChanges(definitions, relay) };
}

/** Collections with and without revisions. */
const collection = (slug: string, supports: string[]): SeedCollection => ({
  slug,
  label: slug,
  labelSingular: slug,
  supports,
  fields: [
    { slug: 'title', label: 'Title', type: 'string', required: true },
    { slug: 'content', label: 'Content', type: 'portableText' },
    { slug: 'price', label: 'Price', type: 'number' },
    { slug: 'link', label: 'Link', type: 'url' },
    { slug: 'isopen', label: 'Open', type: 'boolean' },
    { slug: 'extra', label: 'Extra', type: 'json' },
    { slug: 'at', label: 'At', type: 'datetime' },
    { slug: 'picture', label: 'Picture', type: 'image' },
    {
      slug: 'links',
      label: 'Links',
      type: 'repeater',
      validation: {
        subFields: [
          { slug: 'url', label: 'URL', type: 'url' },
          { slug: 'label', label: 'Label', type: 'string' },
        ],
      },
    },
  ],
});

const collections = [collection('posts', ['drafts', 'revisions']), collection('notes', [])];

/** Creates `posts` and `notes`, with the taxonomies `category` and `tag` for both. */
export async function createCollections(ctx: Context, deps: ReturnType<typeof importDeps>): Promise<void> {
  const taxonomy = (name: string) => ({
    name,
    label: name,
    labelSingular: name,
    hierarchical: false,
    collections: collections.map(({ slug }) => slug),
  });
  const seed: Seed = {
    name: 'Spec',
    description: 'Spec',
    blockTypes: [],
    collections,
    taxonomies: [taxonomy('category'), taxonomy('tag')],
    entries: [],
  };
  await applySeed(ctx, deps, { seed, withEntries: false });
}

/** Gives posts the field whose value is the parent of an entry. */
export async function createParentField(
  ctx: Context,
  { changes }: ReturnType<typeof importDeps>,
): Promise<void> {
  const field = createFieldBody.parse({
    slug: 'parent',
    label: 'Parent',
    type: 'reference',
    validation: { targetCollection: 'posts' },
  });
  await createField(ctx, changes, { collection: 'posts', field });
}

/** The file of a JPEG in the media library. */
export const libraryFile = (id: string): contentImportApi.KnownMedia['file'] => ({
  id,
  filename: `${id}.jpg`,
  mimeType: 'image/jpeg',
  size: 7,
  width: 30,
  height: 20,
  alt: 'from the library',
  blurhash: null,
  dominantColor: null,
  storageKey: id,
  url: `/_cms/api/media/file/${id}`,
});

/** One block of rich text. */
export const block = (text: string) => ({
  _type: 'block',
  _key: 'a',
  style: 'normal',
  markDefs: [],
  children: [{ _type: 'span', _key: 'b', text, marks: [] }],
});

/** An imported post of the collection `posts`: published, with a title and a body. */
export function post(
  id: string,
  parts: Partial<contentImportApi.ImportedEntry> = {},
): contentImportApi.ImportedEntry {
  const title = parts.title ?? `Post ${id}`;
  return {
    source: { type: 'post', id },
    fingerprint: `fingerprint of ${id}`,
    collection: 'posts',
    locale: 'en',
    translationOf: null,
    slug: `post-${id}`,
    title,
    data: { title, content: [block(`Body of ${id}`)] },
    status: 'published',
    createdAt: '2020-01-02T03:04:05.000Z',
    updatedAt: '2021-02-03T04:05:06.000Z',
    publishedAt: '2020-01-02T03:04:05.000Z',
    scheduledAt: null,
    authorId: null,
    bylines: [],
    taxonomies: {},
    parent: null,
    remainder: {},
    original: { content: `<p>Body of ${id}</p>`, excerpt: '', meta: {} },
    failure: null,
    ...parts,
  };
}

/** @returns a function that imports entries of one source site. */
export const importerOf =
  (ctx: Context, { entries: deps }: { entries: EntryDeps }) =>
  async (
    importId: string,
    entries: contentImportApi.ImportedEntry[],
    options: Partial<contentImportApi.ImportEntriesRequest> = {},
  ): Promise<contentImportApi.ImportedEntryResult[]> => {
    const request = { importId, site: 'source.example', entries, skipExisting: false, media: [], ...options };
    return (await importEntries(ctx, deps, request)).results;
  };
