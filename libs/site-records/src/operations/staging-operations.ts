import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { RequestOf, siteRecords } from '@quire/internal-api';
import type { RecordSource } from '../staging/record-source.js';
import type { StagedRecords } from '../staging/staged-records.js';
import type { SiteRecordsOperations } from './site-records.controller.js';

type Declarations = typeof siteRecords.content;

/** What the copies of a service have, and what it does besides. */
interface StagingOptions {
  /** The records to copy. Called in the transaction of the copies: it may lock or write what belongs to them. */
  sources(tx: Transaction, request: RequestOf<Declarations['stage']>): Promise<readonly RecordSource[]>;
  /** Called after the copies of an operation were deleted. */
  afterDiscard?(ctx: Context, request: RequestOf<Declarations['discard']>): Promise<void>;
}

/**
 * The operations of `siteRecords` that copy the records of a service for reading in bounded steps.
 * @returns `stage` copies the records as they are at one instant, with the errors of `StagedRecords.stage`; `read`
 *   returns a page of the copied records of a kind, without lines after the last one; `discard` deletes the copies of
 *   an operation, and is idempotent
 */
export function stagingOperations(
  staged: StagedRecords,
  { sources, afterDiscard }: StagingOptions,
): Pick<SiteRecordsOperations, 'stage' | 'read' | 'discard'> {
  return {
    async stage(ctx, request) {
      const counts = await staged.stage(ctx.db, request.operationId, (tx) => sources(tx, request));
      return { counts };
    },
    read: (ctx, { operationId, ...page }) => staged.read(ctx.db, operationId, page),
    async discard(ctx, request) {
      await staged.discard(ctx.db, request.operationId);
      await afterDiscard?.(ctx, request);
      return {};
    },
  };
}
