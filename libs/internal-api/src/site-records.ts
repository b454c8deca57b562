import { rowId } from '@quire/operation';
import { packageLimits, recordKinds, type RecordKind } from '@quire/site-package';
import { z } from 'zod';
import { declareInternalOperation, type CalledService } from './declare-internal-operation.js';

/** Services that own records of a site. */
export const recordOwners = ['content', 'media', 'search'] as const satisfies readonly CalledService[];
export type RecordOwner = (typeof recordOwners)[number];

/** The kinds of the other owners; all others belong to content. */
const ownersOfKinds: Partial<Record<RecordKind, RecordOwner>> = {
  search_collections: 'search',
  media_folders: 'media',
  media_items: 'media',
};

/** The service that owns the records of a kind. Principals are users: no service writes them. */
export function recordOwnerOf(kind: RecordKind): RecordOwner {
  return ownersOfKinds[kind] ?? 'content';
}

const count = z.number().int().nonnegative();
const operation = z.object({ operationId: rowId });
/** A call that changes records. */
const change = operation.extend({
  /** Grows with every lease of an import: the service rejects a smaller one than it has accepted. */
  fencingToken: count,
});

/** Copying all records of a large site is one statement for each table. */
const stagingTimeoutSeconds = 3600;
/** Writing a batch, with the bytes of its media, or dropping tables. */
const writingTimeoutSeconds = 600;

const mebibyte = 1024 * 1024;

const stage = (owner: RecordOwner) =>
  declareInternalOperation(owner, {
    id: 'stageSiteRecords',
    path: 'site-records/stage',
    summary: 'Copy the records of the site, as they are at one instant, for reading in bounded steps',
    body: operation.extend({ comments: z.boolean() }),
    response: z.object({ counts: z.partialRecord(z.enum(recordKinds), count) }),
    timeoutSeconds: stagingTimeoutSeconds,
    errors: ['TRANSFER_EXPORT_CONCURRENT_WRITES'],
  });

const read = (owner: RecordOwner) =>
  declareInternalOperation(owner, {
    id: 'readSiteRecords',
    path: 'site-records/read',
    summary: 'A page of the copied records, in the order of their keys',
    body: operation.extend({
      kind: z.enum(recordKinds),
      /** Position of the last record of the page before; 0 for the first one. */
      after: count,
      maxRecords: count.min(1).max(10_000),
      /** The page ends with the record that reaches it. */
      maxBytes: count.min(1).max(64 * 1024 * 1024),
    }),
    response: z.object({ lines: z.array(z.string()), last: count }),
  });

const discard = (owner: RecordOwner) =>
  declareInternalOperation(owner, {
    id: 'discardSiteRecords',
    path: 'site-records/discard',
    summary: 'Delete the copied records of an operation',
    body: operation.extend({
      /** Whether the objects of the copied media items are kept, until a call without it. */
      keepsFiles: z.boolean().default(false),
    }),
    response: z.object({}),
  });

/** The records of a write: at most so many, and the bytes of their texts together unless one is larger. */
export const maxWrittenRecords = 1000;
export const maxWrittenBytes = 4 * mebibyte;

const write = (owner: RecordOwner) =>
  declareInternalOperation(owner, {
    id: 'writeSiteRecords',
    path: 'site-records/write',
    summary: 'Write records of a package with their ids; records that exist already remain unchanged',
    body: change.extend({
      kind: z.enum(recordKinds),
      /** JSON texts of checked records of the kind, with principals of this site. */
      records: z.array(z.string()).max(maxWrittenRecords),
      /**
       * `records`: writes the records, without references to records of their own kind. `parents`: writes those
       * references, once all records of the kind exist.
       */
      pass: z.enum(['records', 'parents']),
      /** Prefix of the objects `<prefix><sha256>` with the bytes of media items. */
      mediaPrefix: z.string(),
    }),
    // A record of the largest size, escaped as a JSON text.
    maxBodyBytes: 2 * packageLimits.recordLineBytes + maxWrittenBytes,
    response: z.object({}),
    timeoutSeconds: writingTimeoutSeconds,
  });

const inspect = (owner: RecordOwner) =>
  declareInternalOperation(owner, {
    id: 'inspectSiteRecords',
    path: 'site-records/inspect',
    summary: 'What the site has of the records that an import writes',
    response: z.object({
      /** Kinds with records that a user wrote: the site may not receive an import. */
      blockers: z.array(z.object({ kind: z.enum(recordKinds), count })),
      /** Records that the site had from its beginning and that are unchanged. An import deletes them. */
      scaffold: z.array(z.object({ kind: z.enum(recordKinds), key: z.string() })),
    }),
  });

const clear = (owner: RecordOwner) =>
  declareInternalOperation(owner, {
    id: 'clearSiteRecords',
    path: 'site-records/clear',
    summary: 'Delete records of all kinds that an import writes, and what derives from them; bounded',
    body: change,
    /** False when records are left: then the operation is repeated. */
    response: z.object({ isComplete: z.boolean() }),
    timeoutSeconds: writingTimeoutSeconds,
  });

const finish = (owner: RecordOwner) =>
  declareInternalOperation(owner, {
    id: 'finishSiteRecords',
    path: 'site-records/finish',
    summary: 'Bring up to date what derives from records, once all of them are written',
    body: operation,
    response: z.object({}),
    timeoutSeconds: writingTimeoutSeconds,
  });

const operationsOf = (owner: RecordOwner) => ({
  stage: stage(owner),
  read: read(owner),
  discard: discard(owner),
  inspect: inspect(owner),
  clear: clear(owner),
  write: write(owner),
  finish: finish(owner),
});

/** Reading and writing the records of a site in the services that own them. */
export const siteRecords = {
  content: operationsOf('content'),
  media: operationsOf('media'),
  search: operationsOf('search'),
} as const;

/** Media files of one page. */
export const maxSiteMediaFiles = 1000;

export const listSiteMediaFiles = declareInternalOperation('media', {
  id: 'listSiteMediaFiles',
  path: 'site-records/media-files',
  summary:
    'The files of the copied media items, each once, by hash; their objects exist until these are discarded',
  body: operation.extend({
    /** The last hash of the page before; empty for the first page. */
    after: z.string().max(64),
    limit: count.max(maxSiteMediaFiles),
  }),
  response: z.object({
    items: z.array(z.object({ sha256: z.string(), objectKey: z.string(), bytes: count })),
  }),
});

export const listSiteMediaObjects = declareInternalOperation('media', {
  id: 'listSiteMediaObjects',
  path: 'site-records/media-objects',
  summary: 'The stored objects of all media items, each with its item, in the order of the ids',
  body: z.object({
    /** Id of the last item of the page before; empty for the first page. */
    after: z.string().max(200),
    limit: count.max(maxSiteMediaFiles),
  }),
  response: z.object({
    items: z.array(z.object({ id: z.string(), sha256: z.string(), objectKey: z.string(), bytes: count })),
  }),
});
