import type { Context } from '@quire/context';
import type { RequestOf, ResponseOf, siteRecords } from '@quire/internal-api';
import { stagingOperations } from '@quire/site-records';
import type { SchemaChanges } from '../schema/index.js';
import { lockCollections } from './copied-collections.js';
import { recordSources } from './sources/record-sources.js';
import { stagedRecords } from './staged-records.js';
import { writeBatch } from './writing/record-writers.js';

type Operations = typeof siteRecords.content;

/**
 * Copies of the records of the site, with comments if the request has `comments`. Changes of the schema wait until the
 * copies exist, or are rejected as SERVICE_UNAVAILABLE; one at the beginning makes `stage` fail with
 * TRANSFER_EXPORT_CONCURRENT_WRITES. Other writes go on.
 */
export const {
  stage: stageSiteRecords,
  read: readSiteRecords,
  discard: discardSiteRecords,
} = stagingOperations(stagedRecords, {
  sources: async (tx, { comments }) => recordSources(await lockCollections(tx), { comments }),
});

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
