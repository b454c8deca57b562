import { QuireError } from '@quire/errors';
import { z } from 'zod';
import { operationKinds, operationStages, operationStates } from './transfer-operation.entity.js';
import type { OperationRow } from './operations.repository.js';

const count = z.number().int().nonnegative();
const instant = z.iso.datetime();

/** An operation in responses (spec document 1, Site transfer operation summary; contract 25). */
export const operationSchema = z
  .object({
    id: z.string(),
    kind: z.enum(operationKinds),
    state: z.enum(operationStates),
    stage: z.enum(operationStages).nullable(),
    progress: z
      .object({
        done: count,
        total: count,
        records: count.optional(),
        bytesDone: count.optional(),
        bytesTotal: count.optional(),
      })
      .nullable(),
    packageDigest: z.string().nullable(),
    planDigest: z.string().nullable(),
    error: z.object({ code: z.string() }).nullable(),
    errorCode: z.string().nullable(),
    errorDetail: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
    options: z.record(z.string(), z.unknown()),
    originSiteId: z.string().nullable(),
    receipt: z.record(z.string(), z.unknown()).nullable(),
    cancelRequestedAt: instant.nullable(),
    mutationStartedAt: instant.nullable(),
    idempotencyKey: z.string().nullable(),
    attemptCount: count,
    createdBy: z.string(),
    createdAt: instant,
    updatedAt: instant,
    completedAt: instant.nullable(),
    expiresAt: instant.nullable(),
    stagingCollectedAt: instant.nullable(),
  })
  .meta({ id: 'TransferOperation' });

export type OperationResponse = z.output<typeof operationSchema>;

/** An operation as clients see it. */
export function toOperationResponse(operation: OperationRow): OperationResponse {
  const { cursor: _cursor, plan: _plan, declaredFiles: _declared, storedFiles: _stored, ...row } = operation;
  const { errorCode, options, receipt } = row;
  return {
    ...row,
    receipt: receipt && { ...receipt },
    options: { ...options },
    error: errorCode === null ? null : { code: errorCode },
  };
}

/** The error for an id that no operation of the kind has. */
export function operationNotFound(): QuireError {
  return new QuireError('TRANSFER_OPERATION_NOT_FOUND', 'The site has no such transfer operation');
}
