import { parentProperties, recordKinds, type RecordKind } from '@quire/site-package';
import { recordsPosition } from '../../package-files/file-positions.js';
import type { RecordPlace } from './read-record-batch.js';

const kindsWithParents = new Set(recordKinds.filter((kind) => parentProperties(kind).length > 0));

/** Whether records of the kind refer to records of the same kind. */
export function hasParents(kind: RecordKind): boolean {
  return kindsWithParents.has(kind);
}

/** The place of the first record of a kind, or of the first record after it when the package has none of the kind. */
export function placeOfKind(kind: RecordKind): RecordPlace {
  return { file: recordsPosition(kind, 0), offset: 0 };
}
