import type { Command } from 'commander';
import type { TenantDetails } from '@quire/tenancy';
import { readTenantUse, type TenantUse } from '../tenants/read-tenant.js';
import { formatSeconds, jsonOption } from './queues/index.js';
import type { RunCommand } from './run-command.js';
import { tableOf } from './tables.js';

/** The command that shows one site. */
export function addTenantShowCommand(tenant: Command, run: RunCommand): void {
  tenant
    .command('show')
    .description('Show the state of a site, its hosts, and what it has: entries, media, users, jobs, bytes.')
    .argument('<id>', 'The site.')
    .option(...jsonOption)
    .action((id: string, { json }: { json?: true }) =>
      run(async ({ adminService, installation }) => {
        const details = await adminService.tenants.get(id);
        const use = await readTenantUse(installation, details, noLog);
        if (json) return JSON.stringify({ ...details, ...use }, null, 2);
        return tableOf(linesOf(details, use));
      }),
    );
}

/** The logger writes to standard output, which is for the report. */
const noLog = { warn: () => undefined };

/** The state of a site in words. */
export function stateOf({ state, suspensionReason, readOnlyReason, purgeAt }: TenantDetails): string {
  if (state === 'pending-deletion') return `deleted, to be purged at ${purgeAt}`;
  if (state === 'suspended') return `suspended: ${suspensionReason}`;
  if (state === 'read-only') return `read-only: ${readOnlyReason}`;
  return state;
}

const unavailable = 'not available';

function linesOf(details: TenantDetails, use: TenantUse): [string, string][] {
  const { migrations, storage, entries, media, users, jobs, schedules } = use;
  return [
    ['Site', details.id],
    ...(details.storageId === details.id ? [] : [['Storage id', details.storageId] as [string, string]]),
    ['State', stateOf(details)],
    ['Hosts', details.hosts.join(', ') || '-'],
    ['Database', details.database ?? 'default'],
    ['Created', details.createdAt],
    ['Migrations', migrations ? migrationsOf(migrations) : unavailable],
    ['Storage', storage ? `${storage.bytes} bytes in ${storage.relations} relations` : unavailable],
    ['Entries', numberOf(entries)],
    ['Media', media ? `${media.files} files, ${media.bytes} bytes` : unavailable],
    ['Users', numberOf(users)],
    ['Jobs', jobs ? jobsOf(jobs) : unavailable],
    ['Schedules', schedules ? schedulesOf(schedules) : unavailable],
  ];
}

const numberOf = (count: number | null) => (count === null ? unavailable : String(count));

function migrationsOf({ state, behind, error }: NonNullable<TenantUse['migrations']>): string {
  return [state, behind.join(', '), error].filter(Boolean).join(': ');
}

function jobsOf({
  outbox,
  waiting,
  active,
  delayed,
  failed,
  isComplete,
}: NonNullable<TenantUse['jobs']>): string {
  const counts = `${waiting} waiting, ${active} active, ${delayed} delayed, ${failed} failed, ${outbox} in the outbox`;
  return isComplete ? counts : `${counts}; at least, the queues have more jobs than were read`;
}

function schedulesOf({ planned, due, lateSeconds }: NonNullable<TenantUse['schedules']>): string {
  const late = due === 0 ? '' : `, the oldest for ${formatSeconds(lateSeconds)}`;
  return `${planned} planned, ${due} due${late}`;
}
