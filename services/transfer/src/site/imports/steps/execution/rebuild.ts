import { recordOwners, siteRecords } from '@quire/internal-api';
import type { OperationStep } from '../../../operations/operation-step.js';
import { executionResult } from './execution-result.js';

/** Lets one service bring up to date what derives from its records; after the last one the verification begins. */
export const rebuild: OperationStep = async (ctx, { clients }, operation) => {
  const { owners = 0 } = operation.cursor.execution ?? {};
  const owner = recordOwners[owners];
  if (owner !== undefined)
    await clients[owner].call(siteRecords[owner].finish, ctx, { operationId: operation.id });
  const work = { units: 1 };
  if (owners + 1 < recordOwners.length)
    return executionResult(operation, { execution: { owners: owners + 1 }, work });
  return executionResult(operation, {
    stage: 'verify',
    execution: { owners: undefined },
    work,
    change: { state: 'verifying' },
  });
};
