export { heartbeatMigration, schedulerHealth, type SchedulerHealth } from './heartbeat.repository.js';
export { type PublicationEnding } from './publish-due-entry.js';
export { publishScheduledEntryJob } from './publish-scheduled-entry.js';
export { scheduleSweep } from './schedule-sweep.js';
export { overdue } from './schedules.repository.js';
