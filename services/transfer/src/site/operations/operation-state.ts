import type { RecordOwner } from '@quire/internal-api';
import type { RecordKind } from '@quire/site-package';

/** Options of an export; an import has none. */
export interface OperationOptions {
  /** Whether comments are exported. */
  comments?: boolean;
}

/** Steps of the operation, and what they have moved so far (spec document 1, Site transfer operation summary). */
export interface OperationProgress {
  done: number;
  total: number;
  /** Records written so far. */
  records?: number;
  bytesDone?: number;
  /** Once known. */
  bytesTotal?: number;
}

/** How far the present stage is. Every step stores the cursor of the next one. */
export interface OperationCursor {
  /** Records by owner and kind, once they are copied. */
  counts?: Partial<Record<RecordOwner, Partial<Record<RecordKind, number>>>>;
  /** The kind whose records are being written, its last written record, and its last file. */
  kind?: RecordKind;
  after?: number;
  chunk?: number;
  /** State of the logical digest, see `RunningDigest`. */
  logicalState?: string;
  /** Hash of the last listed or checked media file. */
  mediaAfter?: string;
  /** Position of the last listed or checked file. */
  fileAfter?: number;
}
