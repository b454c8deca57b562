import type { OperationStep, StepResult } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type { AnalysisCursor } from '../analysis/analysis-cursor.js';
import { analysisLimits } from '../analysis/analysis-limits.js';
import { analysisProgress } from '../analysis/analysis-progress.js';
import { IssueList } from '../analysis/issues/issue-list.js';
import { hasKeys, withLongStatements } from '../analysis/keys/import-keys.repository.js';
import { collectPrincipals } from '../analysis/references/collect-principals.js';
import { referenceChecks } from '../analysis/references/reference-checks.js';
import { restartAnalysis } from './restart-analysis.js';

/** Takes some checks over all records of a package; after the last one, collects the users whom records name. */
export const analyzeReferences: OperationStep = async (ctx, deps, operation) => {
  const { id, cursor } = operation;
  if (!(await hasKeys(ctx.db, id))) return restartAnalysis(operation);
  const analysis = cursor.analysis ?? { issues: new IssueList().save() };
  // References that are missing with unreadable records would be reported as dangling.
  const done = analysis.isIncomplete ? referenceChecks.length : (analysis.checks ?? 0);
  const checks = referenceChecks.slice(done, done + analysisLimits.checksPerStep);
  const issues = new IssueList(analysis.issues);
  await withLongStatements(ctx.db, async (tx) => {
    for (const check of checks) await check(tx, id, issues);
  });
  const next: AnalysisCursor = { ...analysis, issues: issues.save(), checks: done + checks.length };
  if (done + checks.length < referenceChecks.length) return result(operation, 'analyze_references', next);
  const principals = await collectPrincipals(ctx, deps, id);
  return result(operation, 'analyze_target', { ...next, principals });
};

function result(
  operation: OperationRow,
  stage: 'analyze_references' | 'analyze_target',
  analysis: AnalysisCursor,
): StepResult {
  return { change: { stage, cursor: { analysis }, progress: analysisProgress(operation, stage) } };
}
