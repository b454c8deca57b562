import type { OperationResponse } from './operation-response.js';
import type { OperationRow } from './operations.repository.js';

/** What tools return of an operation (contract 12): neither options nor receipt. */
export type OperationSummary = Pick<
  OperationResponse,
  | 'id'
  | 'kind'
  | 'state'
  | 'stage'
  | 'progress'
  | 'packageDigest'
  | 'planDigest'
  | 'error'
  | 'createdAt'
  | 'updatedAt'
  | 'completedAt'
  | 'expiresAt'
>;

/** The summary of an operation, for the results of tools. */
export function toOperationSummary(operation: OperationRow | OperationResponse): OperationSummary {
  const { id, kind, state, stage, progress, packageDigest, planDigest, errorCode } = operation;
  const { createdAt, updatedAt, completedAt, expiresAt } = operation;
  const error = errorCode === null ? null : { code: errorCode };
  return {
    ...{ id, kind, state, stage, progress, packageDigest, planDigest, error },
    ...{ createdAt, updatedAt, completedAt, expiresAt },
  };
}
