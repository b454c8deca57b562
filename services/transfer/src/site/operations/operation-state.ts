import type { RecordOwner } from '@quire/internal-api';
import type { RecordKind } from '@quire/site-package';
import type { AnalysisCursor, Decisions, ExecutionCursor } from '../imports/index.js';

/** Options of an operation. */
export interface OperationOptions {
  /** Of exports: whether comments are exported. */
  comments?: boolean;
  /** Of imports: the latest choices of the user. */
  decisions?: Decisions;
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
  /** Written principals. */
  principals?: number;
  /** The kind whose records are being written, its last written record, and its number of files so far. */
  kind?: RecordKind;
  after?: number;
  chunk?: number;
  /** Files with records so far. */
  recordFiles?: number;
  /** State of the logical digest, see `RunningDigest`. */
  logicalState?: string;
  /** Hash of the last listed media file, and the number of listed ones. */
  mediaAfter?: string;
  mediaFiles?: number;
  /** Place of the last indexed or checked file, and the number of index files. */
  fileAfter?: number;
  indexFiles?: number;
  /** Number of times that the export began again because its copies were lost. */
  restarts?: number;
  /** Number of attempts at copying records; each has copies of its own. */
  copies?: number;
  /** Of imports: how far the analysis is, and what it has found. */
  analysis?: AnalysisCursor;
  /** Of an import that executes. */
  execution?: ExecutionCursor;
}
