import type { RecordKind } from '@quire/site-package';
import type { RecordPlace } from './package-records/read-record-batch.js';

/** How far the execution of an import is. */
export interface ExecutionCursor {
  /** ISO time when the site became read-only. */
  fencedAt?: string;
  /** JSON texts of the settings that the site keeps from before the import. */
  keptSettings?: string[];
  /** Number of services that have ended the stage, of those that take part in it one by one. */
  owners?: number;
  /** The records that are written next, those that were written last, and the pass over their kind. */
  place?: RecordPlace;
  kind?: RecordKind;
  pass?: 'records' | 'parents';
  verification?: VerificationCursor;
  /** Times that the verification began again because the copies of the site's records were lost. */
  restarts?: number;
}

/** How far the comparison of the site with its package is. */
export interface VerificationCursor {
  /** Records of the site by kind. */
  counts: Partial<Record<RecordKind, number>>;
  /** The compared kind; absent once all records are compared. */
  kind?: RecordKind;
  /** The next records of the package. */
  place: RecordPlace;
  /** Number of compared records of the kind. */
  after: number;
  /** Key of the last setting of the package. */
  settingAfter?: string;
  /** State of the digest of the site's records, see `RunningDigest`. */
  logicalState?: string;
  /** Id of the last media item whose object is checked. */
  itemAfter?: string;
  /** Bytes of the next object that are hashed, and the state of their hash. */
  mediaOffset?: number;
  mediaState?: string;
  isMediaChecked?: boolean;
}
