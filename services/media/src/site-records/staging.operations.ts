import type { Context } from '@quire/context';
import type { listSiteMediaFiles, RequestOf, ResponseOf, siteRecords } from '@quire/internal-api';
import { resumeObjectDeletions } from '../objects/index.js';
import { keepObjects, releaseObjects, selectKeptFiles, type KeptFile } from './kept-objects.repository.js';
import { recordSources } from './record-sources.js';
import { stagedRecords } from './staged-records.js';

type Operations = typeof siteRecords.media;

/** Longer than an export and its lifetime. */
const keptDays = 9;

/**
 * Copies the records of the media library as they are at one instant, and keeps the objects of its items.
 * @throws QuireError TRANSFER_EXPORT_CONCURRENT_WRITES while another call copies them for the same operation
 */
export async function stageSiteRecords(
  ctx: Context,
  { operationId }: RequestOf<Operations['stage']>,
): Promise<ResponseOf<Operations['stage']>> {
  const counts = await stagedRecords.stage(ctx.db, operationId, async (tx) => {
    await keepObjects(tx, operationId, keptDays);
    return recordSources;
  });
  return { counts };
}

/** @returns a page of the copied records of a kind; no lines after the last one. */
export function readSiteRecords(
  ctx: Context,
  { operationId, ...page }: RequestOf<Operations['read']>,
): Promise<ResponseOf<Operations['read']>> {
  return stagedRecords.read(ctx.db, operationId, page);
}

/**
 * Deletes the copies of an operation. Idempotent.
 * @param request `keepsFiles`: whether the objects of the items are still kept
 */
export async function discardSiteRecords(
  ctx: Context,
  { operationId, keepsFiles }: RequestOf<Operations['discard']>,
): Promise<ResponseOf<Operations['discard']>> {
  await stagedRecords.discard(ctx.db, operationId);
  if (keepsFiles) return {};
  await ctx.db.transaction(async (tx) => resumeObjectDeletions(tx, await releaseObjects(tx, operationId)));
  return {};
}

/** @returns a page of the files of the copied items, by hash. */
export function listKeptFiles(
  ctx: Context,
  { operationId, ...page }: RequestOf<typeof listSiteMediaFiles>,
): Promise<KeptFile[]> {
  return selectKeptFiles(ctx.db, operationId, page);
}
