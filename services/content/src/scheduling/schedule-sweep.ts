import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import type { Logger } from '@quire/observability';
import { Sweep } from '@quire/runtime';
import type { EntryServices } from '../entries/index.js';
import { publishDueEntry } from './publish-due-entry.js';
import { writeHeartbeat } from './heartbeat.repository.js';
import { claimDue, forgetSchedule, putOff, type ClaimedSchedule } from './schedules.repository.js';

/** Later than this is worth a line in the log. */
const lateMs = 5_000;

export interface ScheduleSweepParts {
  /** The shared schema of each database of the service. */
  databases: readonly Sql[];
  services: EntryServices;
  /** A context of system work on a tenant, or undefined when the tenant is gone. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * Publishes whatever is due and was missed: by a queue that was down, by a worker that died. The delayed job is the fast
 * way, this is the sure one (design 4).
 */
export function scheduleSweep(parts: ScheduleSweepParts): Sweep<ClaimedSchedule> {
  const { databases, logger } = parts;
  return new Sweep({
    databases,
    logger,
    claim: claimDue,
    take: (sql, schedule) => publish(sql, schedule, parts),
    putOff,
    swept: writeHeartbeat,
    setback: 'a scheduled entry is published later',
    fieldsOf: ({ tenantId, collection, entryId, attempts }) => ({
      tenant: tenantId,
      collection,
      entryId,
      attempts,
    }),
    failure: 'scheduled entries cannot be published now',
  });
}

async function publish(
  sql: Sql,
  schedule: ClaimedSchedule,
  { logger, services, contextOf }: ScheduleSweepParts,
): Promise<void> {
  const { tenantId, entryId, collection, dueAt } = schedule;
  const ctx = await contextOf(tenantId, `sweep:${entryId}`);
  if (!ctx) return forgetSchedule(sql, schedule);
  const { ending, reason } = await publishDueEntry(ctx, services, { collection, id: entryId, dueAt });
  const lateByMs = Date.now() - Date.parse(dueAt);
  const fields = { tenant: tenantId, collection, entryId, ending, lateByMs, reason };
  if (ending === 'refused') {
    await putOff(sql, schedule);
    logger.warn(fields, 'a scheduled entry may not go live as it is');
    return;
  }
  if (ending !== 'published') await forgetSchedule(sql, schedule);
  if (lateByMs > lateMs) logger.warn(fields, 'a scheduled entry is late');
  else logger.info(fields, 'a scheduled entry was swept up');
}
