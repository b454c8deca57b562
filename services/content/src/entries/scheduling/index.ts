export { schedulerHealth, type SchedulerHealth } from './heartbeat.repository.js';
export { type PublicationOutcome } from './publish-entry-if-due.js';
export { publishScheduledEntryJob } from './publish-scheduled-entry.job.js';
export { missedSchedulesRunner } from './missed-schedules.runner.js';
export {
  countOverdueSchedules,
  insertMissingSchedules,
  repairSchedules,
  schedules,
} from '../repository/schedules.repository.js';
