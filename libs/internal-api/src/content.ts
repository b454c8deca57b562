import { mediaReferenceTypes } from '@quire/content-model';
import type { ErrorCode } from '@quire/errors';
import { rowId, storableText } from '@quire/operation';
import { z } from 'zod';
import { declareInternalOperation, type RequestOf, type ResponseOf } from './declare-internal-operation.js';

const count = z.number().int();

/** For operations that return nothing. */
const empty = z.object({});

export const getFileTypes = declareInternalOperation('content', {
  id: 'getFileTypes',
  path: 'file-types',
  summary: 'The media types that a field accepts; null where it accepts the default ones',
  body: z.object({ fieldId: z.string() }),
  response: z.object({ allowedMimeTypes: z.array(z.string()).nullable() }),
  errors: ['NOT_FOUND'],
});

const registeredCollection = z.object({ id: z.string(), slug: z.string() });

export type RegisteredCollection = z.output<typeof registeredCollection>;

export const listRegisteredCollections = declareInternalOperation('content', {
  id: 'listRegisteredCollections',
  path: 'collections',
  summary: 'All collections of the site by slug, for services with data per collection',
  response: z.object({ collections: z.array(registeredCollection) }),
});

/** Services that receive the changes of entries. */
export const subscribers = ['media-usage', 'search'] as const;

export type Subscriber = (typeof subscribers)[number];

/** In place of a slug: the collections that are created from now on. */
export const newCollections = '*';

export const updateChangeSubscription = declareInternalOperation('content', {
  id: 'updateChangeSubscription',
  path: 'change-subscriptions',
  summary: "Subscribe the worker of a service to the changes of a collection's entries, or unsubscribe it",
  body: z.object({
    subscriber: z.enum(subscribers),
    /** Slug of a collection, or `newCollections`. */
    collection: z.string(),
    isSubscribed: z.boolean(),
    /** How long to wait for running writers, less than the time of other changes: later requests queue behind it. */
    maxWaitMs: z.number().int().min(1).optional(),
  }),
  response: empty,
  errors: ['COLLECTION_NOT_FOUND'],
});

export type ChangeSubscription = RequestOf<typeof updateChangeSubscription>;

/** Reasons for the read-only mode of a site: the error codes that its writes get. */
export const fenceCodes = ['MEDIA_USAGE_ACTIVATION_IN_PROGRESS'] as const satisfies readonly ErrorCode[];

export type FenceCode = (typeof fenceCodes)[number];

export const setWriteFence = declareInternalOperation('content', {
  id: 'setWriteFence',
  path: 'write-fence',
  summary: 'Reject writes of content and schema for the time being, or accept them again',
  body: z.object({ code: z.enum(fenceCodes), raised: z.boolean() }),
  response: empty,
});

export const getWriteFence = declareInternalOperation('content', {
  id: 'getWriteFence',
  path: 'write-fence',
  summary: 'The error of the writes that are rejected at present; null while writes are accepted',
  response: z.object({
    rejection: z
      .object({ code: z.enum(fenceCodes), message: z.string(), retryAfterSeconds: z.number() })
      .nullable(),
  }),
});

/** The error of a rejected write. */
export type WriteRejection = NonNullable<ResponseOf<typeof getWriteFence>['rejection']>;

export const maxDocumentIds = 200;
const maxDocumentPage = 500;

const collectionSlug = storableText(z.string().min(1).max(63));

export const getSearchDocuments = declareInternalOperation('content', {
  id: 'getSearchDocuments',
  path: 'search-documents',
  summary: 'The searchable text of entries: of some, or of a page of all that are not in the trash, by id',
  body: z.union([
    z.strictObject({
      collection: storableText(),
      ids: z.array(rowId).max(maxDocumentIds),
      /** Whether to count all entries. */
      counts: z.boolean().default(false),
    }),
    z.strictObject({
      collection: storableText(),
      after: rowId.nullable(),
      /** A page may have fewer documents, to bound its size. Only the last page is empty. */
      limit: z.number().int().min(1).max(maxDocumentPage),
    }),
  ]),
  response: z.object({
    /** Greater than the version of every response that is based on an older state; see the operation. */
    version: z.number().int(),
    collection: registeredCollection.extend({
      hidden: z.boolean(),
      /** The field whose text is the title of a result. */
      titleField: z.string().nullable(),
      /** Searchable fields with text; the title field among them when it is searchable. */
      fields: z.array(z.string()),
      /** Changes when unchanged entries get other documents. */
      fingerprint: z.string(),
    }),
    documents: z.array(
      z.object({
        id: z.string(),
        locale: z.string(),
        views: z.array(
          z.object({
            statuses: z.array(z.enum(['published', 'draft', 'scheduled', 'all'])),
            slug: z.string().nullable(),
            title: z.string().nullable(),
            fields: z.record(z.string(), z.string()),
          }),
        ),
      }),
    ),
    /** Requested ids that are in the trash or missing. */
    removed: z.array(z.string()),
    /** Requested ids to request again, because the response would have been too large. */
    left: z.array(z.string()),
    /** Numbers of entries that are not in the trash; absent unless requested. */
    counts: z.object({ all: count, published: count }).optional(),
  }),
  errors: ['COLLECTION_NOT_FOUND'],
});

export type SearchDocumentsRequest = RequestOf<typeof getSearchDocuments>;
export type SearchDocuments = ResponseOf<typeof getSearchDocuments>;

const maxReferenceIds = 100;
export const maxReferencePage = 200;

const mediaReferences = z.array(
  z.object({
    mediaId: z.string(),
    fieldSlug: z.string(),
    fieldPath: z.string(),
    occurrenceIndex: z.number().int(),
    referenceType: z.enum(mediaReferenceTypes),
  }),
);

const instant = z.iso.datetime().nullable();

export const getMediaReferences = declareInternalOperation('content', {
  id: 'getMediaReferences',
  path: 'media-references',
  summary: 'The media items that entries refer to: certain entries, or the next ones by id',
  body: z.union([
    z.object({ collection: collectionSlug, ids: z.array(rowId).min(1).max(maxReferenceIds) }),
    z.object({
      collection: collectionSlug,
      after: rowId.nullable(),
      limit: z.number().int().min(1).max(maxReferencePage),
    }),
  ]),
  response: z.object({
    /** Lets a caller detect that the slug has another collection, or the collection another shape. */
    collection: registeredCollection.extend({
      /** Changes when the same rows have other references or titles. */
      shape: z.string(),
    }),
    /** By id; missing entries are left out. */
    entries: z.array(
      z.object({
        id: z.string(),
        title: z.string().nullable(),
        slug: z.string().nullable(),
        locale: z.string(),
        status: z.string(),
        scheduledAt: instant,
        deletedAt: instant,
        sources: z.object({
          columns: mediaReferences,
          /** Null when nothing is staged. */
          draft_overlay: mediaReferences.nullable(),
        }),
      }),
    ),
    /** The id after which the next page begins; null on the last page. */
    next: z.string().nullable(),
  }),
  errors: ['COLLECTION_NOT_FOUND'],
});

export type MediaReferencesRequest = RequestOf<typeof getMediaReferences>;
export type MediaReferencesPage = ResponseOf<typeof getMediaReferences>;

/** An entry with all its references to media items. */
export type EntryMediaReferences = MediaReferencesPage['entries'][number];

/** Characters (contract 21). */
export const maxTitleLength = 200;
export const maxTaglineLength = 500;

export const getSiteTitle = declareInternalOperation('content', {
  id: 'getSiteTitle',
  path: 'settings/title',
  summary: 'The title of the site; absent while it has none',
  response: z.object({ title: z.string().optional() }),
});

export const getSiteNames = declareInternalOperation('content', {
  id: 'getSiteNames',
  path: 'settings/site-names',
  summary: 'Title and tagline of the site; each is absent while it has none',
  response: z.object({ title: z.string().optional(), tagline: z.string().optional() }),
});

export const updateSiteNames = declareInternalOperation('content', {
  id: 'updateSiteNames',
  path: 'settings/names',
  summary: 'Store title and tagline of the site; null clears the tagline',
  body: z.object({
    title: storableText(z.string().max(maxTitleLength)),
    tagline: storableText(z.string().max(maxTaglineLength)).nullable(),
  }),
  response: empty,
});

export type SiteNames = RequestOf<typeof updateSiteNames>;

export const getMediaReferrers = declareInternalOperation('content', {
  id: 'getMediaReferrers',
  path: 'media-referrers',
  summary: 'What can refer to media items: the collections of the site, and the settings that select one',
  response: z.object({
    collections: z.array(registeredCollection.pick({ id: true })),
    settings: z.array(z.object({ setting: z.string(), mediaId: z.string() })),
  }),
});

export type MediaReferrers = ResponseOf<typeof getMediaReferrers>;

/** A setting that selects a media item. */
export type MediaSetting = MediaReferrers['settings'][number];

export const getSeed = declareInternalOperation('content', {
  id: 'getSeed',
  path: 'seed',
  summary: 'The content of the seed of new sites',
  response: z.object({
    name: z.string(),
    description: z.string(),
    collections: count,
    hasContent: z.boolean(),
  }),
});

export type SeedInfo = ResponseOf<typeof getSeed>;

export const applySeed = declareInternalOperation('content', {
  id: 'applySeed',
  path: 'seed',
  summary: 'Create what the site lacks of its seed',
  body: z.object({
    /** Also the example entries. */
    withEntries: z.boolean(),
  }),
  response: z.object({
    blockTypes: count,
    collections: count,
    fields: count,
    taxonomies: count,
    entries: count,
  }),
});

/** The number of rows that a seed created. */
export type SeedResult = ResponseOf<typeof applySeed>;
