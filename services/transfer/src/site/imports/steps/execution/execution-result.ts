import type { StepResult } from '../../../operations/operation-step.js';
import type { OperationChange, OperationRow } from '../../../operations/operations.repository.js';
import type { ExecutionStage } from '../../../operations/transfer-operation.entity.js';
import type { ExecutionCursor } from '../../execution-cursor.js';
import type { Plan } from '../../plan/plan.js';
import { progressAfter, type WorkDone } from './execution-progress.js';

/** What a step of an execution has done, and where the next one continues. */
interface ExecutionResult {
  /** The stage of the next step; the present one unless given. */
  stage?: ExecutionStage;
  /** The changed properties of the cursor; an undefined one is removed. */
  execution?: { [Name in keyof ExecutionCursor]: ExecutionCursor[Name] | undefined };
  work: WorkDone;
  /** Further changes of the operation. */
  change?: OperationChange;
}

/** The result of a step of an execution. */
export function executionResult(
  { stage: present, cursor, progress }: Pick<OperationRow, 'stage' | 'cursor' | 'progress'>,
  { stage, execution, work, change }: ExecutionResult,
): StepResult {
  return {
    change: {
      stage: stage ?? present,
      cursor: { ...cursor, execution: { ...cursor.execution, ...execution } as ExecutionCursor },
      progress: progressAfter(progress, work),
      ...change,
    },
  };
}

/** The plan of an import that executes. */
export function planOf({ plan }: Pick<OperationRow, 'plan'>): Plan {
  if (plan === null) throw new Error('An import without a plan executes');
  return plan;
}
