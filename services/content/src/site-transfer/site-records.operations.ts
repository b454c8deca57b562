import type { Context } from '@quire/context';
import { hasSqlState, sqlState } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { RequestOf, ResponseOf, siteRecords } from '@quire/internal-api';
import { lockCollections } from './lock-collections.js';
import { recordSources } from './sources/record-sources.js';
import { stagedRecords } from './staged-records.js';

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
  try {
    const counts = await stagedRecords.stage(ctx.db, operationId, async (tx) =>
      recordSources(await lockCollections(tx), { comments }),
    );
    return { counts };
  } catch (error) {
    if (!hasSqlState(error, sqlState.serialization)) throw error;
    const message = 'The schema changed while the site was copied. Retry.';
    throw new QuireError('TRANSFER_EXPORT_CONCURRENT_WRITES', message, { cause: error });
  }
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
  { operationId }: RequestOf<Operations['discard']>,
): Promise<ResponseOf<Operations['discard']>> {
  await stagedRecords.discard(ctx.db, operationId);
  return {};
}
