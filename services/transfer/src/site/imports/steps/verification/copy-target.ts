import { recordOwners, siteRecords } from '@quire/internal-api';
import type { OperationStep } from '../../../operations/operation-step.js';
import { beginCopies, copyIdOf, discardCopies } from '../../../operations/copies.js';
import { executionResult } from '../execution/execution-result.js';
import type { VerificationCursor } from '../../execution-cursor.js';
import { placeOfKind } from '../../package-records/kinds.js';

/** Every service copies its records; the copies keep the media objects that are checked. */
export const copyTarget: OperationStep = async (ctx, deps, operation) => {
  await discardCopies(ctx, deps, operation);
  const attempt = await beginCopies(ctx, operation);
  const counts: VerificationCursor['counts'] = {};
  for (const owner of recordOwners) {
    const request = { operationId: copyIdOf(attempt), comments: true };
    Object.assign(counts, (await deps.clients[owner].call(siteRecords[owner].stage, ctx, request)).counts);
  }
  const verification: VerificationCursor = {
    counts,
    kind: 'settings',
    place: placeOfKind('settings'),
    after: 0,
  };
  return executionResult(attempt, { execution: { verification }, work: { units: 1 } });
};
