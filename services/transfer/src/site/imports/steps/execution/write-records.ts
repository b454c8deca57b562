import type { Context } from '@quire/context';
import { recordOwnerOf, siteRecords } from '@quire/internal-api';
import { recordKinds, type RecordKind } from '@quire/site-package';
import type { TransferDeps } from '../../../../transfer-deps.js';
import type { OperationStep, StepResult } from '../../../operations/operation-step.js';
import { ConcurrentWork } from '../../../operations/concurrent-work.js';
import type { OperationRow } from '../../../operations/operations.repository.js';
import type { ExecutionStage } from '../../../operations/transfer-operation.entity.js';
import { objectPrefix } from '../../../package-files/stored-files.js';
import { executionLimits, stepTime } from './execution-limits.js';
import type { WorkDone } from './execution-progress.js';
import { executionResult, planOf } from './execution-result.js';
import { withoutKept } from './kept-settings.js';
import { firstMediaItems } from './media-batch.js';
import { writtenText } from './written-text.js';
import type { ExecutionCursor } from '../../execution-cursor.js';
import { hasParents, placeOfKind } from '../../package-records/kinds.js';
import {
  readRecordBatch,
  type RecordBatch,
  type RecordPlace,
} from '../../package-records/read-record-batch.js';

/** The first kind of each stage. Principals are users: they are not written. */
const firstKinds: readonly (readonly [ExecutionStage, RecordKind])[] = [
  ['schema', 'settings'],
  ['media', 'media_folders'],
  ['terms_bylines', 'byline_fields'],
  ['content', 'entries'],
  ['relations', 'reference_links'],
  ['presentation', 'comments'],
];

/** The stage that writes the records of a kind. */
function stageOfKind(kind: RecordKind): ExecutionStage {
  const index = recordKinds.indexOf(kind);
  const stage = firstKinds.findLast(([, first]) => recordKinds.indexOf(first) <= index);
  if (!stage) throw new Error(`Records of the kind ${kind} are not written`);
  return stage[0];
}

type Position = Required<Pick<ExecutionCursor, 'place' | 'pass'>> & Pick<ExecutionCursor, 'kind'>;

/** Kinds whose batches are written one after the other: they change the schema, or copy many bytes. */
const serialKinds: ReadonlySet<RecordKind> = new Set(['collections', 'fields', 'relations', 'media_items']);

/**
 * Writes batches of records in the order of the package, those of one stage. A kind whose records refer to each other
 * is passed twice: the second pass writes these references. Several batches of a kind are written at a time.
 */
export const writeRecords: OperationStep = async (ctx, deps, operation, { fencingToken }) => {
  const { place = placeOfKind('settings'), kind, pass = 'records' } = operation.cursor.execution ?? {};
  let position: Position = { place, kind, pass };
  const work: Required<WorkDone> = { units: 0, records: 0, bytes: 0 };
  const writes = new ConcurrentWork(executionLimits.concurrentWrites);
  const hasTime = stepTime();
  try {
    do {
      const batch = await readBatch(ctx, deps, operation.id, position.place);
      // Records refer to records of kinds before theirs.
      if (batch?.kind !== position.kind) await writes.settle();
      const turn = turnAfter(position, batch?.kind);
      if (turn) {
        position = turn;
        continue;
      }
      if (!batch) return atStage(operation, 'rebuild', position, work);
      const stage = stageOfKind(batch.kind);
      if (stage !== operation.stage) return atStage(operation, stage, position, work);
      const write = { batch, pass: position.pass, fencingToken };
      await writes.add(() => writeBatch(ctx, deps, operation, write));
      if (serialKinds.has(batch.kind)) await writes.settle();
      addWork(work, batch, position.pass);
      position = { ...position, kind: batch.kind, place: batch.next };
    } while (hasTime());
    await writes.settle();
    return executionResult(operation, { execution: position, work });
  } catch (error) {
    // The step is repeated once nothing of it goes on.
    await writes.settle();
    throw error;
  }
};

async function readBatch(
  ctx: Context,
  { store }: TransferDeps,
  operationId: string,
  place: RecordPlace,
): Promise<RecordBatch | undefined> {
  const batch = await readRecordBatch(ctx, store, operationId, place);
  return batch?.kind === 'media_items' ? firstMediaItems(batch, place) : batch;
}

/** Where the writing continues when the records of a kind have ended, and there is more to do than the next kind. */
function turnAfter({ place, kind, pass }: Position, next: RecordKind | undefined): Position | undefined {
  if (kind === undefined || next === kind) return undefined;
  if (pass === 'parents') return { place, kind: undefined, pass: 'records' };
  return hasParents(kind) ? { place: placeOfKind(kind), kind, pass: 'parents' } : undefined;
}

function atStage(
  operation: OperationRow,
  stage: ExecutionStage,
  { place, pass }: Position,
  work: WorkDone,
): StepResult {
  const execution = stage === 'rebuild' ? {} : { place, pass };
  return executionResult(operation, {
    stage,
    execution: { place: undefined, kind: undefined, pass: undefined, ...execution },
    work,
  });
}

async function writeBatch(
  ctx: Context,
  { clients }: TransferDeps,
  operation: OperationRow,
  { batch, pass, fencingToken }: { batch: RecordBatch; pass: Position['pass']; fencingToken: number },
): Promise<void> {
  const plan = planOf(operation);
  const { kind } = batch;
  const lines = kind === 'settings' ? withoutKept(batch.lines, plan) : batch.lines;
  if (lines.length === 0) return;
  const owner = recordOwnerOf(kind);
  await clients[owner].call(siteRecords[owner].write, ctx, {
    operationId: operation.id,
    fencingToken,
    kind,
    records: lines.map((line) => writtenText(kind, line, plan.decisions)),
    pass,
    mediaPrefix: `${objectPrefix(ctx, operation.id)}media/`,
  });
}

function addWork(
  work: Required<WorkDone>,
  { lines, bytes, isEndOfFile }: RecordBatch,
  pass: Position['pass'],
): void {
  if (isEndOfFile) work.units += 1;
  if (pass === 'parents') return;
  work.records += lines.length;
  work.bytes += bytes;
}
