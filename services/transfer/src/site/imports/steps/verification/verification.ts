import { QuireError } from '@quire/errors';
import type { RecordKind } from '@quire/site-package';
import type { StepResult } from '../../../operations/operation-step.js';
import type { OperationRow } from '../../../operations/operations.repository.js';
import { maxVerifications } from '../execution/execution-limits.js';
import { executionResult } from '../execution/execution-result.js';
import type { VerificationCursor } from '../../execution-cursor.js';

/** How far the verification of an import is. */
export function verificationOf({ cursor }: Pick<OperationRow, 'cursor'>): VerificationCursor {
  const { verification } = cursor.execution ?? {};
  if (verification === undefined) throw new Error('The verification has not begun');
  return verification;
}

/** The error for a record that the site has otherwise than the package, or that only one of them has. */
export function difference(kind: RecordKind, id: string, detail: Record<string, string> = {}): QuireError {
  return new QuireError(
    'TRANSFER_VERIFICATION_FAILED',
    `The site differs from the package in ${kind} ${id}`,
    {
      details: { kind, id, ...detail },
    },
  );
}

/**
 * Lets the verification begin again: a crash of the database empties the copies of the site's records.
 * @throws Error after several times
 */
export function restartVerification(operation: OperationRow): StepResult {
  const verifications = (operation.cursor.execution?.restarts ?? 0) + 1;
  if (verifications > maxVerifications) throw new Error(`The copies were lost ${maxVerifications} times`);
  return executionResult(operation, {
    execution: { verification: undefined, restarts: verifications },
    work: { units: 0 },
  });
}
