import type { Context } from '@quire/context';
import type { ObjectStore } from '@quire/object-store';
import type { RecordKind } from '@quire/site-package';
import type { OperationRow } from '../../../operations/operations.repository.js';
import { planOf } from '../execution/execution-result.js';
import { settingKeyOf, withKept, withoutKept } from '../execution/kept-settings.js';
import { mapPrincipals } from '../execution/map-principals.js';
import type { VerificationCursor } from '../../execution-cursor.js';
import { readRecordBatch } from '../../package-records/read-record-batch.js';

/** Records that the site should have, in their order. */
export interface ExpectedRecords {
  /** JSON texts. */
  lines: string[];
  /** Changes of the cursor for the next records. */
  next: Pick<VerificationCursor, 'place' | 'settingAfter'>;
  /** Whether these are the last ones of the kind. */
  isEndOfKind: boolean;
  isEndOfFile: boolean;
}

/** The next records of a kind as the import should have written them. */
export async function expectedRecords(
  ctx: Context,
  store: ObjectStore,
  operation: OperationRow,
  { kind, place, settingAfter }: VerificationCursor & { kind: RecordKind },
): Promise<ExpectedRecords> {
  const { decisions } = planOf(operation);
  const kept = kind === 'settings' ? (operation.cursor.execution?.keptSettings ?? []) : [];
  const batch = await readRecordBatch(ctx, store, operation.id, place);
  if (batch?.kind !== kind) {
    const lines = withKept([], kept, { after: settingAfter, last: undefined });
    return { lines, next: { place }, isEndOfKind: true, isEndOfFile: false };
  }
  const lines = batch.lines.map((line) => mapPrincipals(kind, line, decisions));
  const page = { next: { place: batch.next }, isEndOfKind: false, isEndOfFile: batch.isEndOfFile };
  const lastLine = batch.lines.at(-1);
  if (kind !== 'settings' || lastLine === undefined) return { ...page, lines };
  const last = settingKeyOf(lastLine);
  return {
    ...page,
    lines: withKept(withoutKept(lines, { decisions }), kept, { after: settingAfter, last }),
    next: { ...page.next, settingAfter: last },
  };
}
