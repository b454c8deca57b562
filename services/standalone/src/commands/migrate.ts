import type { Command } from 'commander';
import { QuireError } from '@quire/errors';
import type { AdminService, MigrationOptions } from '../admin-service.js';
import type { MigrationState, SiteMigration } from '../migration/migration-status.js';
import { jobsOption, type RunCommand } from './run-command.js';
import { tableOf } from './tables.js';

/** Sites that the status lists without `--json`. */
const maxListedSites = 50;
const states: readonly MigrationState[] = ['current', 'newer', 'behind', 'failed'];

/** The command that creates and updates the tables of all sites. */
export function addMigrateCommand(program: Command, run: RunCommand): void {
  program
    .command('migrate')
    .description(
      'Apply pending migrations of all sites. A site that fails does not stop the others; the next run tries it again.',
    )
    .option(...jobsOption)
    .option('--tenant <id>', 'Migrate the tables of this site only.')
    .option('--all', 'Look at the tables of every site: after tables were restored from a backup.')
    .option('--status', 'Print which sites lack migrations of this version, and change nothing.')
    .option('--json', 'Print the status as JSON.')
    .action(({ status, json, ...options }: MigrationOptions & { status?: true; json?: true }) =>
      run(({ adminService }) =>
        status ? printedStatus(adminService, json === true) : migrate(adminService, options),
      ),
    );
}

/** @throws QuireError SERVICE_UNAVAILABLE when some sites have not been migrated */
async function migrate(adminService: AdminService, options: MigrationOptions): Promise<string> {
  const { applied, tenants, unavailable, failures } = await adminService.migrate(options);
  const done = `Applied ${applied} migration(s) for ${tenants} tenant(s)`;
  if (unavailable.length > 0)
    throw new QuireError(
      'SERVICE_UNAVAILABLE',
      `${done}, but not for those of the unavailable databases ${unavailable.join(', ')}: repeat the command when they respond`,
    );
  if (failures.length > 0)
    throw new QuireError(
      'SERVICE_UNAVAILABLE',
      [
        `${done}; ${failures.length} failed:`,
        ...failures.map((each) => `${each.tenant}: ${each.message}`),
      ].join('\n'),
    );
  return applied === 0 ? `Nothing to migrate: ${tenants} tenant(s) are up to date` : done;
}

async function printedStatus(adminService: AdminService, isJson: boolean): Promise<string> {
  const sites = await adminService.migrationStatus();
  if (isJson) return JSON.stringify(sites);
  const counts = states.map((state) => `${state}: ${sites.filter((site) => site.state === state).length}`);
  const others = sites.filter(({ state }) => state === 'behind' || state === 'failed');
  const lines = [`${sites.length} site(s): ${counts.join(', ')}`];
  if (others.length > 0) lines.push(siteTable(others.slice(0, maxListedSites)));
  if (others.length > maxListedSites) lines.push(`and ${others.length - maxListedSites} more: see --json`);
  return lines.join('\n');
}

const siteTable = (sites: readonly SiteMigration[]) =>
  tableOf([
    ['SITE', 'STATE', 'BEHIND', 'ERROR'],
    ...sites.map(({ tenant, state, behind, error }) => [tenant, state, behind.join(','), error ?? '']),
  ]);
