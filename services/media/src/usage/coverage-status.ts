import type { contentApi } from '@quire/internal-api';
import type { CoverageRow } from './usage-coverage.repository.js';
import type { CoverageStatus } from './usage.schemas.js';

/** The part of a coverage row that determines the status of a site. */
export type StatedCoverage = Omit<CoverageRow, 'shape' | 'isTracked' | 'startedAt'>;

type State = Exclude<CoverageStatus, 'unknown'>;

const known: readonly string[] = ['complete', 'never', 'running', 'partial', 'failed', 'stale'];

/**
 * Returns how far the index covers a site (document 1, Media usage coverage status). Unknown states give `unknown`, a
 * repair in progress gives `running`. Otherwise the status is `complete` or `failed` if that applies to all
 * collections, `never` if none was ever completed, `stale` if all are covered and some outdated, and else `partial`.
 * @param collections the registered collections; a site without any is complete
 * @param rows the stored coverage; rows of deleted collections are ignored
 */
export function coverageStatus(
  collections: readonly Pick<contentApi.RegisteredCollection, 'id'>[],
  rows: readonly StatedCoverage[],
): CoverageStatus {
  const byCollection = new Map(rows.map((row) => [row.collectionId, row]));
  const registered = collections.map(({ id }) => byCollection.get(id));
  if (registered.some((row) => row && !known.includes(row.status))) return 'unknown';
  const states = registered.map(stateOf);
  if (states.includes('running')) return 'running';
  if (states.every((state) => state === 'complete')) return 'complete';
  if (states.every((state) => state === 'failed')) return 'failed';
  if (registered.every((row) => !row?.hasCompleted)) return 'never';
  if (states.every((state) => state === 'complete' || state === 'stale')) return 'stale';
  return 'partial';
}

/** The state of one collection's coverage. A collection without a row was never indexed. */
export function stateOf(row: StatedCoverage | undefined): State {
  if (!row) return 'never';
  // The process of the repair died.
  if (row.status === 'running' && !row.isRepairAlive) return 'failed';
  if (row.status === 'complete' && (row.isOutdated || row.hasLateWork)) return 'stale';
  return row.status as State;
}
