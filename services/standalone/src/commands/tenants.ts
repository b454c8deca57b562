import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { defaultTenantId } from '@quire/tenancy';
import type { AdminService } from '../admin-service.js';
import { collect, type RunCommand } from './run-command.js';

/** Commands on sites and their host names. */
export function addTenantCommands(program: Command, run: RunCommand): void {
  const tenant = program.command('tenant');
  tenant
    .command('create')
    .description('Create a site with its host names and print its setup link.')
    .argument('<id>', 'The id of the new site.')
    .requiredOption('--host <host>', 'A host name of the site. May be repeated.', collect)
    .option('--database <key>', 'The database of DATABASE_URL_<key>. The default is that of DATABASE_URL.')
    .action((id: string, { host: hosts, database = null }: { host: string[]; database?: string | null }) =>
      run(async ({ adminService }) => {
        const link = await adminService.createTenant({ id, database }, hosts);
        const created = `Created the tenant ${id} for ${hosts.join(', ')}${await defaultTenantNotice(adminService)}`;
        return link === undefined ? created : `${created}\nSet it up: ${link}`;
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
        await adminService.addHosts(id, hosts);
        return `The tenant ${id} answers at ${(await adminService.hostsOf(id)).join(', ')}`;
      }),
    );
  tenant
    .command('remove-host')
    .description('Remove a host name from a site.')
    .argument('<id>', 'The site.')
    .requiredOption('--host <host>', 'The host name.')
    .action((id: string, { host }: { host: string }) =>
      run(async ({ adminService }) => {
        await adminService.removeHost(id, host);
        return `The tenant ${id} answers at ${(await adminService.hostsOf(id)).join(', ') || 'no host'}`;
      }),
    );
  tenant
    .command('hosts')
    .description('Print the host names of a tenant, one per line.')
    .argument('<id>', 'The site.')
    .action((id: string) => run(async ({ adminService }) => (await adminService.hostsOf(id)).join('\n')));
  tenant
    .command('list')
    .description('Print the id of each tenant, one per line.')
    .action(() =>
      run(async ({ adminService }) => (await adminService.listTenants()).map(({ id }) => id).join('\n')),
    );
  tenant
    .command('delete')
    .description('Delete a tenant with all its data. This cannot be undone.')
    .argument('<id>', 'The site.')
    .option('--yes', 'Confirm the deletion.')
    .action((id: string, { yes }: { yes?: true }) =>
      run(async ({ adminService }) => {
        if (!yes) throw new ConfigurationError(`This deletes all data of ${id}: confirm with --yes`);
        await adminService.deleteTenant(id);
        return `Deleted the tenant ${id}`;
      }),
    );
}

/**
 * The hosts of the site `default` after the creation of another site: it no longer responds at every unregistered host
 * (decision 29).
 */
async function defaultTenantNotice(adminService: AdminService): Promise<string> {
  // The site default may have been deleted.
  const hosts = await adminService.hostsOf(defaultTenantId).catch(() => undefined);
  if (hosts === undefined) return '';
  return hosts.length > 0
    ? `\nThe tenant default answers at ${hosts.join(', ')}; "tenant add-host default --host HOST" gives it more`
    : '\nThe tenant default answers nowhere now: give it a host by "tenant add-host default --host HOST"';
}
