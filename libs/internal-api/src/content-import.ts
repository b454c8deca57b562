import { rowId, storableText } from '@quire/operation';
import { toStorableText } from '@quire/values';
import { z } from 'zod';
import { declareInternalOperation, type RequestOf, type ResponseOf } from './declare-internal-operation.js';
import { mediaFileSchema } from './media.js';

const count = z.number().int().nonnegative();
const slug = storableText(z.string().min(1).max(200));
/** Text without U+0000 and unpaired surrogates, which PostgreSQL does not store: they are removed or replaced. */
const text = z.string().transform(toStorableText);
const instant = z.iso.datetime();
const jsonObject = z.record(z.string(), z.unknown());

/** Items of one call. Callers also bound the bytes of a call by `maxImportBodyBytes`. */
export const maxImportedItems = 200;
/** Bytes of a call's body: an item body of 16 MB becomes several times as large as rich text. */
export const maxImportBodyBytes = 64 * 1024 * 1024;

/** Identifies an object of the source site, in every import of that site. */
const sourceKey = z.object({
  /** Post type, `comment`, or another kind of the source. */
  type: text,
  id: text,
});

export type SourceKey = z.output<typeof sourceKey>;

/** The import that a call belongs to. */
const importRun = z.object({
  importId: rowId,
  /** Identity of the source site: host and path of its address, in lower case. */
  site: text,
});

export type ImportRun = z.output<typeof importRun>;

const warning = z.object({
  code: z.string(),
  message: z.string(),
});

export type ImportWarning = z.output<typeof warning>;

export const getImportTargets = declareInternalOperation('content', {
  id: 'getImportTargets',
  path: 'import/targets',
  summary: 'What content can be imported into: collections with their fields, taxonomies, locales',
  response: z.object({
    collections: z.array(
      z.object({
        slug: z.string(),
        fields: z.array(z.object({ slug: z.string(), type: z.string() })),
        supports: z.array(z.string()),
      }),
    ),
    taxonomies: z.array(
      z.object({ name: z.string(), hierarchical: z.boolean(), collections: z.array(z.string()) }),
    ),
    defaultLocale: z.string(),
    /** The configured locales; null when the site accepts every well-formed code. */
    locales: z.array(z.string()).nullable(),
  }),
});

export type ImportTargets = ResponseOf<typeof getImportTargets>;

export const importBylines = declareInternalOperation('content', {
  id: 'importBylines',
  path: 'import/bylines',
  summary: 'Create or reuse the bylines of authors',
  isBlockedInReadOnlyMode: true,
  body: importRun.extend({
    locale: z.string(),
    authors: z
      .array(
        z.object({
          /** Login at the source, which identifies the author. */
          login: text,
          displayName: text,
          /** The user of the site whose byline it is; null for a guest. */
          userId: z.string().nullable(),
        }),
      )
      .max(maxImportedItems),
  }),
  response: z.object({ bylines: z.array(z.object({ login: z.string(), bylineId: z.string() })) }),
});

export const importTerms = declareInternalOperation('content', {
  id: 'importTerms',
  path: 'import/terms',
  summary: 'Create taxonomies and terms that are missing, or link terms to their parents',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    locale: z.string(),
    taxonomies: z
      .array(
        z.object({
          name: text,
          label: text,
          hierarchical: z.boolean(),
          /** Collections that the taxonomy must have; added when they are missing. */
          collections: z.array(slug),
        }),
      )
      .max(maxImportedItems),
    terms: z
      .array(
        z.object({
          taxonomy: text,
          slug,
          label: text,
          description: text.nullable(),
          parentSlug: slug.nullable(),
        }),
      )
      .max(maxImportedItems),
    /** `create` ignores parents; `link` sets them, when every term exists. */
    step: z.enum(['create', 'link']),
  }),
  response: z.object({
    created: z.record(z.string(), count),
    reused: z.record(z.string(), count),
    warnings: z.array(warning.extend({ taxonomy: z.string(), slug: z.string() })),
  }),
});

/** A file of the source that is in the media library, by an address that values may name it by. */
const knownMedia = z.object({ address: z.string(), file: mediaFileSchema });

export type KnownMedia = z.output<typeof knownMedia>;

const importedEntry = z.object({
  source: sourceKey,
  /** Hash of the source and of the conversion: an equal one means an unchanged source. */
  fingerprint: z.string(),
  collection: slug,
  locale: z.string(),
  /** An entry of the same import or an earlier one that this one translates. */
  translationOf: sourceKey.nullable(),
  /** Gets a numeric suffix when it is taken. */
  slug,
  title: text,
  data: jsonObject,
  status: z.enum(['published', 'draft', 'scheduled', 'trashed']),
  createdAt: instant.nullable(),
  updatedAt: instant.nullable(),
  publishedAt: instant.nullable(),
  scheduledAt: instant.nullable(),
  authorId: z.string().nullable(),
  /** Ids of bylines in order; the first is the primary one. */
  bylines: z.array(z.string()),
  /** Slugs of terms by taxonomy. */
  taxonomies: z.record(z.string(), z.array(slug)),
  /** The parent item of the source; see `linkEntryParents`. */
  parent: sourceKey.nullable(),
  /** What has no field: kept in the import record. */
  remainder: jsonObject,
  /**
   * The unconverted source: kept in `_importError` when the entry cannot be saved. Without it such an entry is not
   * written, and the caller repeats it with its source: most entries are sent once, and without theirs.
   */
  original: z.object({ content: text, excerpt: text, meta: jsonObject }).nullable(),
  /** A failure of the conversion: the entry becomes a draft with `_importError`. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export type ImportedEntry = z.output<typeof importedEntry>;

/**
 * `created`: also when an earlier call of the same import created it. `updated`: changed since the last import, and
 * edited by no user. `unchanged`: the source is as it was. `edited`: the source changed, and a user changed the entry
 * or holds its edit lease; it is left as it is. `skipped`: with `skipExisting`, an entry of the site that no import
 * created has the slug; it is the `entryId`, and there is no record. `failed`: a draft with `_importError`; nothing
 * when `entryId` is null, as without `original`; an entry of an earlier import that is as it was when only the changed
 * source fails.
 */
export const entryOutcomes = ['created', 'updated', 'unchanged', 'edited', 'skipped', 'failed'] as const;

export type EntryOutcome = (typeof entryOutcomes)[number];

export const importEntries = declareInternalOperation('content', {
  id: 'importEntries',
  path: 'import/entries',
  summary: 'Create or update entries from a source, each with its terms, credits and import record',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    entries: z.array(importedEntry).max(maxImportedItems),
    /** Entries whose slug exists are left out when they come from no import. */
    skipExisting: z.boolean(),
    /** Entries that name them by these addresses get the items of the library, as `rewriteUrls` writes them. */
    media: z.array(knownMedia),
  }),
  response: z.object({
    /** In the order of the request. */
    results: z.array(
      z.object({
        outcome: z.enum(entryOutcomes),
        entryId: z.string().nullable(),
        slug: z.string().nullable(),
        /** Of a failure. */
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        warnings: z.array(warning),
        /** Number of terms that were assigned. */
        assignments: count,
      }),
    ),
  }),
});

export type ImportedEntryResult = ResponseOf<typeof importEntries>['results'][number];

export const linkEntryParents = declareInternalOperation('content', {
  id: 'linkEntryParents',
  path: 'import/entries/parents',
  summary: 'Link imported entries to the parents that their sources name, when all entries exist',
  isBlockedInReadOnlyMode: true,
  body: importRun.extend({ children: z.array(sourceKey).max(maxImportedItems) }),
  response: z.object({ warnings: z.array(warning.extend({ source: sourceKey })) }),
});

export const importSections = declareInternalOperation('content', {
  id: 'importSections',
  path: 'import/sections',
  summary: 'Create sections from reusable blocks of a source; a section with the slug is left as it is',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    sections: z
      .array(z.object({ source: sourceKey, slug, title: text, content: z.array(jsonObject) }))
      .max(maxImportedItems),
    /** As for entries. */
    media: z.array(knownMedia),
  }),
  response: z.object({
    created: count,
    /** Ids of the blocks whose sections this import has created. */
    createdIds: z.array(z.string()),
    skipped: count,
    warnings: z.array(warning.extend({ id: z.string() })),
  }),
});

export const importComments = declareInternalOperation('content', {
  id: 'importComments',
  path: 'import/comments',
  summary: 'Create comments on imported entries, without mails and limits',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    comments: z
      .array(
        z.object({
          id: text,
          /** The entry's item. */
          entry: sourceKey,
          /** The root of its thread: replies are one level deep. Null for a root. */
          rootId: text.nullable(),
          authorName: text,
          authorEmail: text,
          body: text,
          status: z.enum(['approved', 'pending']),
          createdAt: instant.nullable(),
        }),
      )
      .max(maxImportedItems),
  }),
  response: z.object({
    imported: count,
    skipped: count,
    warnings: z.array(warning.extend({ id: z.string() })),
  }),
});

export const importMenu = declareInternalOperation('content', {
  id: 'importMenu',
  path: 'import/menus',
  summary: 'Create a menu with its items; items of an existing menu are left as they are',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    locale: z.string(),
    name: slug,
    label: text,
    items: z
      .array(
        z.object({
          id: text,
          parentId: text.nullable(),
          /** Empty for the title of the target. */
          label: text,
          target: z.discriminatedUnion('kind', [
            z.object({ kind: z.literal('entry'), source: sourceKey, url: text.nullable() }),
            z.object({ kind: z.literal('term'), taxonomy: text, slug, url: text.nullable() }),
            z.object({ kind: z.literal('url'), url: text }),
          ]),
          titleAttr: text.nullable(),
          newTab: z.boolean(),
          cssClasses: text.nullable(),
        }),
      )
      .max(5000),
  }),
  response: z.object({
    outcome: z.enum(['created', 'skipped']),
    items: count,
    warnings: z.array(warning.extend({ id: z.string() })),
  }),
});

export const undoImport = declareInternalOperation('content', {
  id: 'undoImport',
  path: 'import/undo',
  summary: 'Delete a page of what one import created and no user has changed since',
  isBlockedInReadOnlyMode: true,
  body: importRun.extend({ limit: z.number().int().min(1).max(maxImportedItems) }),
  response: z.object({
    /** Objects of this call by kind: `entry`, `section`, `comment`, `menu`, `term`, `byline`. */
    deleted: z.record(z.string(), count),
    /** Objects that a user has changed or uses, by kind. Only the last call counts them. */
    kept: z.record(z.string(), count),
    isComplete: z.boolean(),
  }),
});

export type ImportEntriesRequest = RequestOf<typeof importEntries>;
