import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import { defaultTenantId, type Tenant } from '@quire/tenancy';
import type { AdminService } from '../admin-service.js';
import { createTenants, readTenantLines, type CreatedTenant } from '../tenants/create-tenants.js';
import { commandLineActor, jsonOption } from './queues/index.js';
import { defaultJobs } from '../for-each-site.js';
import { addTenantOptionCommands } from './tenant-options.js';
import { addMoveCommand } from './tenant-move.js';
import { collect, jobsOption, type CommandDeps, type RunCommand } from './run-command.js';
import { tableOf } from './tables.js';
import { addTenantDeletionCommands } from './tenant-deletion.js';
import { addTenantShowCommand, stateOf } from './tenant-show.js';

/** Commands on sites and their host names. */
export function addTenantCommands(program: Command, run: RunCommand): void {
  const tenant = program.command('tenant');
  tenant
    .command('create')
    .description('Create a site with its host names, or the sites of a file, and print their setup links.')
    .argument('[id]', 'The id of the new site.')
    .option('--host <host>', 'A host name of the site. May be repeated.', collect)
    .option('--database <key>', 'The database of DATABASE_URL_<key>. The default is that of DATABASE_URL.')
    .option(
      '--from <file>',
      'Create a site for each line: {"id": "acme", "hosts": ["acme.example"], "database": "EU1"}, also with "settings", "limits" and "plan". Repeat the command after an interruption.',
    )
    .option(...jobsOption)
    .option(...jsonOption)
    .action((id: string | undefined, options: CreateOptions) =>
      run((deps) => {
        const { from, host: hosts } = options;
        if (from !== undefined && id === undefined && !hosts) return createFromFile(deps, from, options);
        if (from !== undefined || id === undefined || !hosts)
          throw new ConfigurationError('Name a site and its --host, or a file with --from');
        return createOne(deps, { id, database: options.database ?? null }, hosts);
      }),
    );
  tenant
    .command('add-host')
    .description(
      'Add host names to a site. The site default has the host of CMS_PUBLIC_URL until another site gets it.',
    )
    .argument('<id>', 'The site.')
    .requiredOption('--host <host>', 'A host name. May be repeated.', collect)
    .action((id: string, { host: hosts }: { host: string[] }) =>
      run(async ({ adminService }) => {
        await adminService.tenants.addHosts(id, hosts, commandLineActor());
        return `The tenant ${id} answers at ${(await adminService.tenants.hostsOf(id)).join(', ')}`;
      }),
    );
  tenant
    .command('remove-host')
    .description('Remove a host name from a site.')
    .argument('<id>', 'The site.')
    .requiredOption('--host <host>', 'The host name.')
    .action((id: string, { host }: { host: string }) =>
      run(async ({ adminService }) => {
        await adminService.tenants.removeHost(id, host, commandLineActor());
        return `The tenant ${id} answers at ${(await adminService.tenants.hostsOf(id)).join(', ') || 'no host'}`;
      }),
    );
  tenant
    .command('hosts')
    .description('Print the host names of a tenant, one per line.')
    .argument('<id>', 'The site.')
    .action((id: string) =>
      run(async ({ adminService }) => (await adminService.tenants.hostsOf(id)).join('\n')),
    );
  tenant
    .command('list')
    .description('Print the id of each site, one per line, and the state of those that are not active.')
    .option('--json', 'Print the hosts, the database and the state of each site as JSON.')
    .action(({ json }: { json?: true }) =>
      run(async ({ adminService }) => {
        const sites = await adminService.tenants.details();
        if (json) return JSON.stringify(sites, null, 2);
        return tableOf(sites.map((site) => [site.id, site.state === 'active' ? '' : stateOf(site)]));
      }),
    );
  tenant
    .command('suspend')
    .description(
      'Suspend a site: it responds to every request with 503, and its jobs and scheduled publications wait.',
    )
    .argument('<id>', 'The site.')
    .requiredOption('--reason <text>', 'The reason, for operators. The site does not show it.')
    .action((id: string, { reason }: { reason: string }) =>
      run(async ({ adminService }) => {
        await adminService.tenants.setSuspension(id, reason, commandLineActor());
        return `The tenant ${id} is suspended`;
      }),
    );
  tenant
    .command('resume')
    .description('End the suspension of a site. Publications that were due are made within 30 seconds.')
    .argument('<id>', 'The site.')
    .action((id: string) =>
      run(async ({ adminService }) => {
        await adminService.tenants.setSuspension(id, null, commandLineActor());
        return `The tenant ${id} is no longer suspended`;
      }),
    );
  tenant
    .command('rename')
    .description(
      'Give a site another id. Its hosts, requests and jobs go on; the former ids still name it in commands, and its tables, files, jobs and logs keep the id of its creation.',
    )
    .argument('<id>', 'The site.')
    .argument('<new-id>', 'The new id, which no site has or had.')
    .action((id: string, to: string) =>
      run(async ({ adminService }) => {
        const from = await adminService.tenants.rename(id, to, commandLineActor());
        return from === to ? `The tenant ${to} has this id already` : `The tenant ${from} is now ${to}`;
      }),
    );
  addTenantShowCommand(tenant, run);
  addTenantDeletionCommands(tenant, run);
  addTenantOptionCommands(tenant, run);
  addMoveCommand(tenant, run);
}

interface CreateOptions {
  host?: string[];
  database?: string;
  from?: string;
  jobs?: number;
  json?: true;
}

async function createOne(
  { adminService }: CommandDeps,
  tenant: Tenant,
  hosts: readonly string[],
): Promise<string> {
  const link = await adminService.tenants.create(tenant, hosts);
  const created = `Created the tenant ${tenant.id} for ${hosts.join(', ')}${await defaultTenantNotice(adminService)}`;
  return link === undefined ? created : `${created}\nSet it up: ${link}`;
}

/** Prints a line for each site at its end. @throws QuireError SERVICE_UNAVAILABLE when some failed */
async function createFromFile(
  { adminService, installation, print }: CommandDeps,
  path: string,
  { jobs = defaultJobs, json }: CreateOptions,
): Promise<string> {
  const lines = await readTenantLines(path, installation);
  const counts = { created: 0, existing: 0, failed: 0 };
  await createTenants(adminService, lines, {
    jobs,
    async onTenant(tenant) {
      counts[tenant.outcome] += 1;
      await print(json ? JSON.stringify(tenant) : lineOf(tenant));
    },
  });
  const summary = `${counts.created} site(s) created, ${counts.existing} existed, ${counts.failed} failed`;
  if (counts.failed > 0) throw new QuireError('SERVICE_UNAVAILABLE', summary);
  if (json) return '';
  return counts.created > 0 ? `${summary}${await defaultTenantNotice(adminService)}` : summary;
}

function lineOf(tenant: CreatedTenant): string {
  if (tenant.outcome === 'failed') return `failed    ${tenant.id}  ${tenant.error}`;
  return `${tenant.outcome.padEnd(8)}  ${tenant.id}  ${tenant.setupLink ?? ''}`.trimEnd();
}

/**
 * The hosts of the site `default` after the creation of another site: it no longer responds at every unregistered host
 * (decision 29).
 */
async function defaultTenantNotice(adminService: AdminService): Promise<string> {
  // The site default may have been deleted.
  const hosts = await adminService.tenants.hostsOf(defaultTenantId).catch(() => undefined);
  if (hosts === undefined) return '';
  return hosts.length > 0
    ? `\nThe tenant default answers at ${hosts.join(', ')}; "tenant add-host default --host HOST" gives it more`
    : '\nThe tenant default answers nowhere now: give it a host by "tenant add-host default --host HOST"';
}
