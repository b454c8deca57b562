import type { Queryable } from '@quire/database';
import { recordKinds } from '@quire/site-package';
import type { OperationProgress } from '../../../operations/operation-state.js';
import { sumFiles } from '../../../package-files/package-files.repository.js';
import { hasParents } from '../../package-records/kinds.js';
import type { Plan } from '../../plan/plan.js';

/**
 * Units of work beside the files: the fence and the second inspection, the begin of the changes, clearing and
 * finishing of three services, the copies for the verification, and the end.
 */
const fixedUnits = 11;

/** What a step has done. */
export interface WorkDone {
  /** Files with records that were written or compared to their end, objects that were checked, and other parts. */
  units: number;
  records?: number;
  bytes?: number;
}

/** The progress of an import whose execution begins. Its total remains the same. */
export async function firstProgress(
  sql: Queryable,
  operationId: string,
  { bytes, counts }: Pick<Plan, 'bytes' | 'counts'>,
): Promise<OperationProgress> {
  const count = async (prefix: string) => (await sumFiles(sql, operationId, prefix)).count;
  const recordFiles = (await count('records/')) - (await count('records/principals/'));
  let parentFiles = 0;
  for (const kind of recordKinds) if (hasParents(kind)) parentFiles += await count(`records/${kind}/`);
  const total = fixedUnits + 2 * recordFiles + parentFiles + (counts.media_items ?? 0);
  return { done: 0, total, records: 0, bytesDone: 0, bytesTotal: bytes.records + bytes.media };
}

/** The progress after a step. It never decreases, and is below its total before the end. */
export function progressAfter(
  progress: OperationProgress | null,
  { units, records = 0, bytes = 0 }: WorkDone,
): OperationProgress {
  const {
    done = 0,
    total = fixedUnits,
    records: written = 0,
    bytesDone = 0,
    bytesTotal = 0,
  } = progress ?? {};
  return {
    done: Math.min(done + units, total - 1),
    total,
    records: written + records,
    bytesDone: Math.min(bytesDone + bytes, bytesTotal),
    bytesTotal,
  };
}
