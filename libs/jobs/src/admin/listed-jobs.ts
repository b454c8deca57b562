import type { ListedJob } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';

const maxReasonCharacters = 200;

/** The names of the queues of jobs. */
export const queuesOf = (jobs: readonly JobDeclaration[]) =>
  [...new Set(jobs.map(({ queue }) => queue))].sort();

/** The site of a job; null for a job without one. */
export function tenantOf({ data }: Pick<ListedJob, 'data'>): string | null {
  const { tenantId } = (data ?? {}) as { tenantId?: unknown };
  return typeof tenantId === 'string' ? tenantId : null;
}

/** The reason of a failure, one line of no more than 200 characters. */
export function reasonOf({ failure }: ListedJob): string {
  return (failure ?? '').replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxReasonCharacters);
}
