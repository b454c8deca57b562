import type { ObjectStore } from '@quire/object-store';
import { maxUploadBytesOf } from '@quire/tenancy';
import { manifestPosition } from '../../package-files/file-positions.js';
import { selectFiles, type PackageFileRow } from '../../package-files/package-files.repository.js';
import type { OperationStep } from '../../operations/operation-step.js';
import { analysisLimits } from '../analysis/analysis-limits.js';
import { analysisProgress } from '../analysis/analysis-progress.js';
import type { AnalysisCursor } from '../analysis/analysis-cursor.js';
import { IssueList, type Finding } from '../analysis/issues/issue-list.js';
import { readManifest } from '../analysis/read-manifest.js';
import { checkDeclaration, checkObject } from '../analysis/structure/check-file.js';
import { checkManifest } from '../analysis/structure/check-manifest.js';
import type { BlockerCode } from '../plan/plan.js';

/** Checks the manifest, and page by page the files that the index declares. Their bytes were checked when uploaded. */
export const analyzeStructure: OperationStep = async (ctx, deps, operation) => {
  const { id, cursor } = operation;
  const issues = new IssueList(cursor.analysis?.issues);
  const { file } = cursor.analysis ?? {};
  if (!file) {
    const manifest = await readManifest(ctx, deps.store, id);
    await checkManifest(ctx, issues, { operationId: id, manifest });
  }
  const limit = analysisLimits.filesPerStep;
  const files = await selectFiles(ctx.db, id, { after: file?.position ?? manifestPosition, limit });
  const maxMediaBytes = maxUploadBytesOf(ctx.principal.tenant, deps.options.maxMediaBytes);
  files.forEach((each, index) => {
    const before = index === 0 ? file?.path : files[index - 1]?.path;
    block(issues, checkDeclaration(each, before, { maxMediaBytes }));
  });
  for (const findings of await checkObjects(deps.store, files)) block(issues, findings);
  const isLast = files.length < limit;
  const stage = !isLast ? 'analyze_structure' : nextStage(issues);
  const last = files.at(-1);
  const { restarts } = cursor.analysis ?? {};
  const analysis: AnalysisCursor = {
    ...(restarts !== undefined && { restarts }),
    issues: issues.save(),
    ...(!isLast && last && { file: { position: last.position, path: last.path } }),
  };
  return { change: { stage, cursor: { analysis }, progress: analysisProgress(operation, stage) } };
};

/** Without all files there are no records to check. */
function nextStage(issues: IssueList): 'analyze_records' | 'analyze_target' {
  const isUnreadable = issues.hasBlocker('file_missing', 'file_mismatch', 'unsupported_format');
  return isUnreadable ? 'analyze_target' : 'analyze_records';
}

function block(issues: IssueList, findings: readonly Finding<BlockerCode>[]): void {
  for (const finding of findings) issues.block(finding);
}

async function checkObjects(
  store: ObjectStore,
  files: readonly PackageFileRow[],
): Promise<Finding<BlockerCode>[][]> {
  const findings: Finding<BlockerCode>[][] = [];
  for (let start = 0; start < files.length; start += analysisLimits.concurrentChecks) {
    const part = files.slice(start, start + analysisLimits.concurrentChecks);
    findings.push(...(await Promise.all(part.map((file) => checkObject(store, file)))));
  }
  return findings;
}
