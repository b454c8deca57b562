import { QuireError } from '@quire/errors';
import type { OperationStep } from '../../operations/operation-step.js';
import { selectOperation } from '../../operations/operations.repository.js';
import { analysisProgress } from '../analysis/analysis-progress.js';
import { deleteKeys } from '../analysis/keys/import-keys.repository.js';
import { isSameDecisions } from '../plan/decisions.js';
import { makePlan } from '../plan/make-plan.js';

/** The last step of an analysis: compares the package with the site, and makes the plan. */
export const analyzeTarget: OperationStep = async (ctx, deps, operation) => {
  const { id, options } = operation;
  const planned = await makePlan(ctx, deps, operation, options.decisions);
  return {
    change: { state: 'planned', stage: null, ...planned, progress: analysisProgress(operation, null) },
    write: async (tx) => {
      const present = await selectOperation(tx, { id });
      // The step is repeated with the decisions of a request that came during it.
      if (!isSameDecisions(present?.options.decisions, options.decisions))
        throw new QuireError('TRANSFER_INVALID_STATE', 'The decisions changed while the plan was made');
      await deleteKeys(tx, id);
    },
  };
};
