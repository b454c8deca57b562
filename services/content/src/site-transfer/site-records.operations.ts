import type { Context } from '@quire/context';
import type { RequestOf, ResponseOf, siteRecords } from '@quire/internal-api';
import type { SchemaChanges } from '../schema/index.js';
import { lockCollections } from './copied-collections.js';
import { recordSources } from './sources/record-sources.js';
import { stagedRecords } from './staged-records.js';
import { writeBatch } from './writing/record-writers.js';

type Operations = typeof siteRecords.content;

/**
 * Copies the records of the site as they are at one instant; other writes go on. Changes of the schema wait until the
 * copies exist, or are rejected as SERVICE_UNAVAILABLE.
 * @param request `comments`: whether comments are copied
 * @throws QuireError TRANSFER_EXPORT_CONCURRENT_WRITES when the schema changed at the beginning; a repetition starts
 *   over
 */
export async function stageSiteRecords(
  ctx: Context,
  { operationId, comments }: RequestOf<Operations['stage']>,
): Promise<ResponseOf<Operations['stage']>> {
  const counts = await stagedRecords.stage(ctx.db, operationId, async (tx) =>
    recordSources(await lockCollections(tx), { comments }),
  );
  return { counts };
}

/** @returns a page of the copied records of a kind; no lines after the last one. */
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

/**
 * Writes records of a package with their ids. The kinds are written in the order of `recordKinds`; records that exist
 * already remain unchanged, but settings are replaced.
 * @throws QuireError as `writeBatch`
 */
export async function writeSiteRecords(
  ctx: Context,
  changes: SchemaChanges,
  { kind, records, pass }: Pick<RequestOf<Operations['write']>, 'kind' | 'records' | 'pass'>,
): Promise<ResponseOf<Operations['write']>> {
  await writeBatch(ctx, changes, { kind, records, pass });
  return {};
}
