import { z } from 'zod';
import { declareInternalOperation, type RequestOf, type ResponseOf } from '../declare-internal-operation.js';
import {
  count,
  importRun,
  instant,
  jsonObject,
  knownMedia,
  maxImportBodyBytes,
  maxImportedItems,
  slug,
  sourceKey,
  text,
  warning,
} from './schemas.js';

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

export type ImportEntriesRequest = RequestOf<typeof importEntries>;

export const linkEntryParents = declareInternalOperation('content', {
  id: 'linkEntryParents',
  path: 'import/entries/parents',
  summary: 'Link imported entries to the parents that their sources name, when all entries exist',
  isBlockedInReadOnlyMode: true,
  body: importRun.extend({ children: z.array(sourceKey).max(maxImportedItems) }),
  response: z.object({ warnings: z.array(warning.extend({ source: sourceKey })) }),
});
