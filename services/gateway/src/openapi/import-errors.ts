import { errorStatus, type ErrorCode } from '@quire/errors';
import { isSafeMethod } from '../authentication/index.js';
import type { Router } from '../routing/router.js';

/** What a document says about an operation, as far as it concerns its errors. */
export interface DescribedOperation {
  responses?: Record<string, { description: string }>;
}

const codes: readonly ErrorCode[] = ['TRANSFER_IMPORT_IN_PROGRESS', 'TRANSFER_FENCE_CHECK_FAILED'];

/**
 * Adds the errors with which the gateway rejects an operation during a site import to the description of its responses
 * of that status, which every operation has.
 * @param operation of the document of a service; unchanged for a safe method and for a path that stays available
 */
export function withImportErrors<Operation extends DescribedOperation>(
  operation: Operation,
  { path, method }: { path: string; method: string },
  routeOf: Router,
): Operation {
  const status = String(errorStatus.TRANSFER_IMPORT_IN_PROGRESS);
  const { responses } = operation;
  const response = responses?.[status];
  if (!response || isSafeMethod(method.toUpperCase()) || routeOf(path)?.availableDuringImport)
    return operation;
  const description = [response.description, ...codes].join(', ');
  return { ...operation, responses: { ...responses, [status]: { ...response, description } } };
}
