import type { Context } from '@quire/context';
import type { listSiteMediaFiles, RequestOf } from '@quire/internal-api';
import { stagingOperations } from '@quire/site-records';
import { resumeObjectDeletions } from '../objects/index.js';
import { keepObjects, releaseObjects, selectKeptFiles, type KeptFile } from './kept-objects.repository.js';
import { recordSources } from './record-sources.js';
import { stagedRecords } from './staged-records.js';

/** Longer than an export and its lifetime. */
const keptDays = 9;

/** Copies of the media library. The objects of the copied items are kept until `discard` without `keepsFiles`. */
export const {
  stage: stageSiteRecords,
  read: readSiteRecords,
  discard: discardSiteRecords,
} = stagingOperations(stagedRecords, {
  async sources(tx, { operationId }) {
    await keepObjects(tx, operationId, keptDays);
    return recordSources;
  },
  async afterDiscard(ctx, { operationId, keepsFiles }) {
    if (keepsFiles) return;
    await ctx.db.transaction(async (tx) => resumeObjectDeletions(tx, await releaseObjects(tx, operationId)));
  },
});

/** @returns a page of the files of the copied items, by hash. */
export function listKeptFiles(
  ctx: Context,
  { operationId, ...page }: RequestOf<typeof listSiteMediaFiles>,
): Promise<KeptFile[]> {
  return selectKeptFiles(ctx.db, operationId, page);
}
