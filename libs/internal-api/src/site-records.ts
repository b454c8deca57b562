import { rowId } from '@quire/operation';
import { recordKinds } from '@quire/site-package';
import { z } from 'zod';
import { declareInternalOperation, type CalledService } from './declare-internal-operation.js';

/** Services that own records of a site. */
export const recordOwners = ['content', 'media', 'search'] as const satisfies readonly CalledService[];
export type RecordOwner = (typeof recordOwners)[number];

const count = z.number().int().nonnegative();
const operation = z.object({ operationId: rowId });

/** Copying all records of a large site is one statement for each table. */
const stagingTimeoutSeconds = 3600;

const stage = <Owner extends RecordOwner>(owner: Owner) =>
  declareInternalOperation(owner, {
    id: 'stageSiteRecords',
    path: 'site-records/stage',
    summary: 'Copy the records of the site, as they are at one instant, for reading in bounded steps',
    body: operation.extend({ comments: z.boolean() }),
    response: z.object({ counts: z.partialRecord(z.enum(recordKinds), count) }),
    timeoutSeconds: stagingTimeoutSeconds,
    errors: ['TRANSFER_EXPORT_CONCURRENT_WRITES'],
  });

const read = <Owner extends RecordOwner>(owner: Owner) =>
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

const discard = <Owner extends RecordOwner>(owner: Owner) =>
  declareInternalOperation(owner, {
    id: 'discardSiteRecords',
    path: 'site-records/discard',
    summary: 'Delete the copied records of an operation',
    body: operation,
    response: z.object({}),
  });

/** Reading the records of a site from the services that own them. */
export const siteRecords = {
  content: { stage: stage('content'), read: read('content'), discard: discard('content') },
  media: { stage: stage('media'), read: read('media'), discard: discard('media') },
  search: { stage: stage('search'), read: read('search'), discard: discard('search') },
} as const;

/** Media files of one page. */
export const maxSiteMediaFiles = 1000;

export const listSiteMediaFiles = declareInternalOperation('media', {
  id: 'listSiteMediaFiles',
  path: 'site-records/media-files',
  summary:
    'The files of the copied media items, each once, by hash; their objects exist until the copies are discarded',
  body: operation.extend({
    /** The last hash of the page before; empty for the first page. */
    after: z.string().max(64),
    limit: count.max(maxSiteMediaFiles),
  }),
  response: z.object({
    items: z.array(z.object({ sha256: z.string(), objectKey: z.string(), bytes: count })),
  }),
});
