import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { OperationRow } from '../../operations/operations.repository.js';
import { findImport, importStateError } from '../find-import.js';
import type { Plan } from '../plan/plan.js';

/** What a user agrees to: the package, and the plan that says what its import does. */
export interface ExecutionRequest {
  id: string;
  packageDigest: string;
  planDigest: string;
}

/** A planned import without blockers. */
export type ExecutableImport = OperationRow & { plan: Plan };

/**
 * Checks that an import can be executed, without starting it. Whether the site is empty is checked by the start.
 * @returns the import
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_PACKAGE_DIGEST_MISMATCH,
 *   TRANSFER_PLAN_DIGEST_MISMATCH, TRANSFER_INVALID_STATE, TRANSFER_PLAN_BLOCKED; the
 *   first one that applies, in this order (contract 25)
 */
export async function checkExecutable(
  ctx: Context,
  { id, packageDigest, planDigest }: ExecutionRequest,
): Promise<ExecutableImport> {
  const operation = await findImport(ctx, id);
  if (operation.packageDigest !== packageDigest)
    throw new QuireError('TRANSFER_PACKAGE_DIGEST_MISMATCH', 'The import has a package with another digest');
  if (operation.planDigest !== planDigest)
    throw new QuireError('TRANSFER_PLAN_DIGEST_MISMATCH', 'The import has a plan with another digest');
  const { state, plan } = operation;
  if (state !== 'planned' || plan === null) throw importStateError(operation);
  const codes = [...new Set(plan.blockers.map(({ code }) => code))];
  if (codes.length > 0)
    throw new QuireError('TRANSFER_PLAN_BLOCKED', `The plan has blockers: ${codes.join(', ')}`, {
      details: { codes },
    });
  return { ...operation, plan };
}
