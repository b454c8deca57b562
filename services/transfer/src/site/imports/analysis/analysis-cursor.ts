import type { RecordKind } from '@quire/site-package';
import type { RecordPlace } from '../package-records/read-record-batch.js';
import type { StoredIssues } from './issues/issue-list.js';

/** A user whom records name, with the number of records by kind. */
export interface NamedPrincipal {
  id: string;
  displayName: string;
  email?: string;
  references: Partial<Record<RecordKind, number>>;
}

/** How far an analysis is, and what it has found. The steps of `running` do not need it. */
export interface AnalysisCursor {
  issues: StoredIssues;
  /** Whether records could not be read: the checks that need all records are left out. */
  isIncomplete?: boolean;
  /** analyze_structure: the last checked file. */
  file?: { position: number; path: string };
  /** analyze_records: the next records. */
  place?: RecordPlace;
  /** The last record and its file; the next one has a greater key. */
  last?: { kind: RecordKind; key: string; path: string; recordsOfFile: number };
  /** Records so far by kind. */
  counts?: Partial<Record<RecordKind, number>>;
  /** State of the logical digest, see `RunningDigest`. */
  logicalState?: string;
  /** Lines that are no JSON objects. */
  unreadable?: number;
  /** Locales of the records by kind, each with its first record and the number of records. */
  locales?: Partial<Record<RecordKind, Record<string, { id: string; count: number }>>>;
  /** Slugs of the custom fields of bylines with links. */
  urlFields?: string[];
  /** Settings of the package. */
  names?: { title?: string; tagline?: string };
  /** analyze_references: number of finished checks. */
  checks?: number;
  /** The principals that most records name, by id; those of the others together. */
  principals?: { named: NamedPrincipal[]; others: Partial<Record<RecordKind, number>> };
  /** Times that the analysis began again because the copies of keys were lost. */
  restarts?: number;
}
