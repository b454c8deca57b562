import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/runtime';
import type { EntryDeps } from '../index.js';
import { publishEntryIfDue } from './publish-entry-if-due.js';
import { writeHeartbeat } from './heartbeat.repository.js';
import {
  claimDueSchedules,
  deleteSchedule,
  reschedule,
  type ClaimedSchedule,
} from './schedules.repository.js';

/** Later than this is worth a line in the log. */
const lateThresholdMs = 5_000;

export interface MissedSchedulesDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  entryDeps: EntryDeps;
  /** A context of system work on a tenant, or undefined when the tenant is gone. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * Publishes whatever is due and was missed: by a queue that was down, by a worker that died. The delayed job is the
 * fast way, this is the sure one (design 4).
 */
export function missedSchedulesRunner(deps: MissedSchedulesDeps): WorkQueueRunner<ClaimedSchedule> {
  const { databases, logger } = deps;
  return new WorkQueueRunner({
    databases,
    logger,
    claim: claimDueSchedules,
    take: (sql, schedule) => publish(sql, schedule, deps),
    reschedule,
    onSwept: writeHeartbeat,
    failureMessage: 'scheduled entry publication rescheduled',
    fieldsOf: ({ tenantId, collection, entryId, attempts }) => ({
      tenant: tenantId,
      collection,
      entryId,
      attempts,
    }),
    failure: 'scheduled publishing sweep failed',
  });
}

async function publish(
  sql: Queryable,
  schedule: ClaimedSchedule,
  { logger, entryDeps, contextOf }: MissedSchedulesDeps,
): Promise<void> {
  const { tenantId, entryId, collection, dueAt } = schedule;
  const ctx = await contextOf(tenantId, `sweep:${entryId}`);
  if (!ctx) return deleteSchedule(sql, schedule);
  const { outcome, reason } = await publishEntryIfDue(ctx, entryDeps, { collection, id: entryId, dueAt });
  const lateByMs = Date.now() - Date.parse(dueAt);
  const fields = { tenant: tenantId, collection, entryId, outcome, lateByMs, reason };
  if (outcome === 'rejected') {
    await reschedule(sql, schedule);
    logger.warn(fields, 'scheduled entry rejected: it cannot be published as it is');
    return;
  }
  if (outcome !== 'published') await deleteSchedule(sql, schedule);
  if (lateByMs > lateThresholdMs) logger.warn(fields, 'scheduled entry published late');
  else logger.info(fields, 'scheduled entry published by recovery sweep');
}
