import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/work-queue';
import { schedules, type ClaimedSchedule } from '../repository/schedules.repository.js';
import { publishEntryIfDue, type PublicationDeps } from './publish-entry-if-due.js';
import { writeHeartbeat } from './heartbeat.repository.js';

/** Later publications are logged as warnings. */
const lateThresholdMs = 5_000;

/** Time until a publication is tried again that a read-only site pauses. */
const pauseSeconds = 5;

export interface MissedSchedulesDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  publication: PublicationDeps;
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * Publishes entries that are due and whose delayed job was missed, because the queue was down or behind, its worker
 * died, or the site was read-only. The job publishes on time, the runner guarantees the publication (design 4): also
 * while the jobs of another site fill the queue.
 */
export function missedSchedulesRunner(deps: MissedSchedulesDeps): WorkQueueRunner<ClaimedSchedule> {
  const { databases, logger } = deps;
  return new WorkQueueRunner({
    databases,
    logger,
    table: schedules,
    tenantOf: ({ tenantId }) => tenantId,
    process: (sql, schedule) => publish(sql, schedule, deps),
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
  { logger, publication, contextOf }: MissedSchedulesDeps,
): Promise<void> {
  const { tenantId, entryId, collection, scheduledAt } = schedule;
  const ctx = await contextOf(tenantId, `sweep:${entryId}`);
  if (!ctx) return void (await schedules.complete(sql, schedule));
  const target = { collection, id: entryId, dueAt: scheduledAt };
  const { outcome, reason } = await publishEntryIfDue(ctx, publication, target);
  if (outcome === 'paused')
    return void (await schedules.reschedule(sql, schedule, { attempts: 0, afterSeconds: pauseSeconds }));
  const lateByMs = Date.now() - Date.parse(scheduledAt);
  const fields = { tenant: tenantId, collection, entryId, outcome, lateByMs, reason };
  if (outcome === 'rejected') {
    await schedules.reschedule(sql, schedule);
    logger.warn(fields, 'scheduled entry rejected: it cannot be published as it is');
    return;
  }
  // Publishing deletes the schedule itself.
  if (outcome !== 'published') await schedules.complete(sql, schedule);
  if (lateByMs > lateThresholdMs) logger.warn(fields, 'scheduled entry published late');
  else logger.info(fields, 'scheduled entry published by recovery sweep');
}
