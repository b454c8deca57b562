import type { Context } from '@quire/context';
import type { RequestOf, ResponseOf, siteRecords } from '@quire/internal-api';
import { recordsOf } from '@quire/site-records';
import { SearchCollection } from '../collections/index.js';
import { stagedRecords } from './staged-records.js';

type Operations = typeof siteRecords.search;

const recordSources = [recordsOf('search_collections', SearchCollection)];

/**
 * Copies the search settings as they are at one instant.
 * @throws QuireError TRANSFER_EXPORT_CONCURRENT_WRITES while another call copies them for the same operation
 */
export async function stageSiteRecords(
  ctx: Context,
  { operationId }: RequestOf<Operations['stage']>,
): Promise<ResponseOf<Operations['stage']>> {
  return { counts: await stagedRecords.stage(ctx.db, operationId, () => Promise.resolve(recordSources)) };
}

/** @returns a page of the copied settings; no lines after the last one. */
export function readSiteRecords(
  ctx: Context,
  { operationId, ...page }: RequestOf<Operations['read']>,
): Promise<ResponseOf<Operations['read']>> {
  return stagedRecords.read(ctx.db, operationId, page);
}

/** Deletes the copies of an operation. Idempotent. */
export async function discardSiteRecords(
  ctx: Context,
  { operationId }: Pick<RequestOf<Operations['discard']>, 'operationId'>,
): Promise<ResponseOf<Operations['discard']>> {
  await stagedRecords.discard(ctx.db, operationId);
  return {};
}
