import { recordOwners, type RecordOwner } from '@quire/internal-api';
import { recordKinds, type RecordKind } from '@quire/site-package';
import type { OperationCursor } from '../operations/operation-state.js';
import { exportLimits } from './export-limits.js';

/** Number of the copied records of a kind. */
export function countOf({ counts = {} }: OperationCursor, kind: RecordKind): number {
  return recordOwners.reduce((sum, owner) => sum + (counts[owner]?.[kind] ?? 0), 0);
}

/** The service that has copied the records of a kind; undefined for a kind without records. */
export function ownerOf({ counts = {} }: OperationCursor, kind: RecordKind): RecordOwner | undefined {
  return recordOwners.find((owner) => (counts[owner]?.[kind] ?? 0) > 0);
}

/** The first kind with records after a kind; undefined at the end. */
export function kindAfter(cursor: OperationCursor, kind: RecordKind): RecordKind | undefined {
  return recordKinds.slice(recordKinds.indexOf(kind) + 1).find((next) => countOf(cursor, next) > 0);
}

/** Files that the rest of the records will need, if no file is full of bytes before it is full of records. */
export function remainingRecordFiles(cursor: OperationCursor): number {
  const { kind, after = 0 } = cursor;
  if (kind === undefined) return 0;
  const present = recordKinds.indexOf(kind);
  return recordKinds.slice(present).reduce((files, each) => {
    const left = countOf(cursor, each) - (each === kind ? after : 0);
    return files + Math.ceil(left / exportLimits.recordsPerFile);
  }, 0);
}
