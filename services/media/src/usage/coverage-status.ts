import type { contentApi } from '@quire/internal-api';
import type { CoverageRow } from './usage-coverage.repository.js';
import type { CoverageStatus } from './usage.schemas.js';

/** What the status of a site depends on. */
export type StatedCoverage = Omit<CoverageRow, 'shape' | 'isTracked' | 'startedAt'>;

type State = Exclude<CoverageStatus, 'unknown'>;

const known: readonly string[] = ['complete', 'never', 'running', 'partial', 'failed', 'stale'];

/**
 * How far the index covers a site (document 1, Media usage coverage status). What cannot be told is `unknown`, and a
 * repair under way is `running`; then it is `failed` or `never` when that is all there is, `partial` while some
 * collection has no coverage, `stale` when all have some that is older than the content, and `complete` when nothing is
 * wrong.
 * @param collections those that are registered now; a site without any is covered
 * @param rows what is stored; rows of collections that are gone do not count
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

/** The state of one collection's coverage; undefined stands for one that was never indexed. */
export function stateOf(row: StatedCoverage | undefined): State {
  if (!row) return 'never';
  // The process that repaired it died.
  if (row.status === 'running' && !row.isRepairAlive) return 'failed';
  if (row.status === 'complete' && (row.isOutdated || row.hasLateWork)) return 'stale';
  return row.status as State;
}
