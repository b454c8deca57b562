import type { Context } from '@quire/context';
import type { OperationRow } from '../../operations/operations.repository.js';
import { findImport, importStateError } from '../find-import.js';
import type { Plan } from './plan.js';

/** A plan with its digest. */
export interface DigestedPlan {
  plan: Plan;
  planDigest: string;
}

/**
 * The plan of an import, from its analysis on.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_INVALID_STATE without a plan
 */
export async function getTransferImportPlan(ctx: Context, id: string): Promise<DigestedPlan> {
  const operation = await findImport(ctx, id);
  const planned = planOf(operation);
  if (!planned) throw importStateError(operation);
  return planned;
}

/** @returns undefined while an import has no plan */
export function planOf({ plan, planDigest }: OperationRow): DigestedPlan | undefined {
  return plan === null || planDigest === null ? undefined : { plan, planDigest };
}
