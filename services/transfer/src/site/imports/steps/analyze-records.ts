import { maxFieldColumns } from '@quire/content-model';
import type { Context } from '@quire/context';
import { maxCollections, recordKinds, RunningDigest, type Manifest } from '@quire/site-package';
import type { OperationStep, StepResult } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { AnalysisCursor } from '../analysis/analysis-cursor.js';
import { analysisLimits } from '../analysis/analysis-limits.js';
import { analysisProgress } from '../analysis/analysis-progress.js';
import { IssueList } from '../analysis/issues/issue-list.js';
import { beginKeys, hasKeys, insertKeys } from '../analysis/keys/import-keys.repository.js';
import { readManifest } from '../analysis/read-manifest.js';
import { loadSchema } from '../analysis/records/load-schema.js';
import type { PackageSchema } from '../analysis/records/package-schema.js';
import { readBatch } from '../analysis/records/read-batch.js';
import { RecordScan } from '../analysis/records/record-scan.js';
import { firstRecordPlace } from '../package-records/read-record-batch.js';
import { restartAnalysis } from './restart-analysis.js';

/** Checks some batches of records one by one, and copies the values that the next stage compares. */
export const analyzeRecords: OperationStep = async (ctx, deps, operation) => {
  const { id, cursor } = operation;
  const analysis = cursor.analysis ?? { issues: new IssueList().save() };
  const { place } = analysis;
  if (place && !(await hasKeys(ctx.db, id))) return restartAnalysis(operation);
  const issues = new IssueList(analysis.issues);
  const schema = await loadSchema(ctx, deps.store, id);
  const scan = await RecordScan.open(analysis, issues, schema);
  const isEnd = await scanBatches(ctx, deps, { operationId: id, scan, place: place ?? firstRecordPlace });
  const next = scan.save();
  const result = isEnd
    ? await afterRecords(ctx, deps, { operation, analysis: next, scan, issues, schema })
    : {
        change: {
          cursor: { analysis: next },
          progress: analysisProgress(operation, 'analyze_records', scan),
        },
      };
  return {
    ...result,
    write: async (tx) => {
      if (!place) await beginKeys(tx, id);
      await insertKeys(tx, id, scan.rows);
    },
  };
};

/** @returns whether no records are left, or none that can be read */
async function scanBatches(
  ctx: Context,
  { store }: Pick<TransferDeps, 'store'>,
  {
    operationId,
    scan,
    place,
  }: { operationId: string; scan: RecordScan; place: AnalysisCursor['place'] & object },
): Promise<boolean> {
  let next = place;
  for (let batches = 0; batches < analysisLimits.batchesPerStep; batches += 1) {
    const batch = await readBatch(ctx, store, operationId, next);
    if (!batch) return true;
    scan.scan(batch);
    if (scan.isHopeless) return true;
    next = batch.next;
  }
  return false;
}

async function afterRecords(
  ctx: Context,
  { store }: Pick<TransferDeps, 'store'>,
  {
    operation,
    analysis,
    scan,
    issues,
    schema,
  }: {
    operation: OperationRow;
    analysis: AnalysisCursor;
    scan: RecordScan;
    issues: IssueList;
    schema: PackageSchema;
  },
): Promise<StepResult> {
  const manifest = await readManifest(ctx, store, operation.id);
  if (manifest && !scan.isHopeless) await compareWithManifest(issues, analysis, manifest);
  blockLargeSchema(issues, schema);
  const redirects = analysis.counts?.redirects ?? 0;
  if (redirects > 0)
    issues.warn({
      code: 'redirect_loops_unchecked',
      message: 'Redirects are imported as they are; loops among them are not looked for',
      kind: 'redirects',
      count: redirects,
    });
  const { place: _, last: __, logicalState: ___, unreadable: ____, ...rest } = analysis;
  const stage = scan.isHopeless ? 'analyze_target' : 'analyze_references';
  const next: AnalysisCursor = { ...rest, issues: issues.save() };
  return {
    change: { stage, cursor: { analysis: next }, progress: analysisProgress(operation, stage, scan) },
  };
}

/** A site has a limited number of collections, and the table of one a limited number of columns. */
function blockLargeSchema(issues: IssueList, schema: PackageSchema): void {
  if (schema.size > maxCollections)
    issues.block({
      code: 'limit_exceeded',
      message: `A package has more than ${maxCollections} collections`,
      kind: 'collections',
      property: 'id',
      count: schema.size,
    });
  for (const { id, columns } of schema.values())
    if (columns.size > maxFieldColumns)
      issues.block({
        code: 'limit_exceeded',
        message: `A collection has more than ${maxFieldColumns} fields with a column`,
        kind: 'collections',
        id,
        property: 'fields',
        detail: { fields: columns.size },
      });
}

/** The manifest states the number of records of each kind and the digest of all. */
async function compareWithManifest(
  issues: IssueList,
  { counts = {}, isIncomplete, logicalState }: AnalysisCursor,
  manifest: Manifest,
): Promise<void> {
  for (const kind of recordKinds) {
    const [found, declared] = [counts[kind] ?? 0, manifest.counts[kind] ?? 0];
    if (found === declared) continue;
    const message = 'The package has another number of records than its manifest states';
    issues.block({ code: 'record_count_mismatch', message, kind, count: found, detail: { declared } });
  }
  if (isIncomplete) return;
  const digest = (await RunningDigest.open(logicalState)).digest();
  if (digest === manifest.logicalDigest) return;
  const message = 'The records have another logical digest than the manifest states';
  issues.block({
    code: 'package_invalid',
    message,
    property: 'logicalDigest',
    detail: { digest, declared: manifest.logicalDigest },
  });
}
