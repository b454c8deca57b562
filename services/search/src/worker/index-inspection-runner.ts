import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner, type ClaimOf } from '@quire/work-queue';
import type { SearchDeps } from '../search-deps.js';
import { indexInspections } from '../tasks/index.js';
import { inspectIndexes } from './inspect-indexes.js';

const inspectionIntervalSeconds = 300;

/** Inspects the indexes of each database every five minutes, in one of the processes. */
export function indexInspectionRunner({
  databases,
  searchDeps,
  logger,
}: {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  searchDeps: SearchDeps;
  logger: Logger;
}): WorkQueueRunner<ClaimOf<typeof indexInspections>> {
  return new WorkQueueRunner({
    databases,
    logger,
    table: indexInspections,
    process: async (sql, inspection) => {
      const collections = await inspectIndexes(sql, searchDeps);
      if (collections > 0) logger.info({ collections }, 'search indexes to check');
      await indexInspections.reschedule(sql, inspection, {
        attempts: 0,
        afterSeconds: inspectionIntervalSeconds,
      });
    },
    failureMessage: 'search index inspection rescheduled',
    fieldsOf: ({ attempts }) => ({ attempts }),
    failure: 'search index inspection failed',
  });
}
