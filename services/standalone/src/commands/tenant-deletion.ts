import { InvalidArgumentError, type Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import { defaultKeepSeconds, parseKeep } from '../tenants/tenant-deletion-service.js';
import { commandLineActor } from './queues/index.js';
import type { CommandDeps, RunCommand } from './run-command.js';

interface DeleteOptions {
  yes?: true;
  now?: true;
  keep?: number;
}

/** Commands that delete sites, and restore deleted ones. */
export function addTenantDeletionCommands(tenant: Command, run: RunCommand): void {
  tenant
    .command('delete')
    .description(
      'Delete a site: it responds with 410, keeps its host names, and is restorable until its data is purged.',
    )
    .argument('<id>', 'The site.')
    .option('--keep <time>', 'The time until the purge: 30d or 12h. The default is 30d.', keepOf)
    .option('--now', 'Purge the data at once. This cannot be undone.')
    .option('--yes', 'Confirm the deletion.')
    .action((id: string, { yes, now, keep }: DeleteOptions) =>
      run(async ({ adminService }) => {
        if (now && keep !== undefined) throw new ConfigurationError('Name --keep or --now, not both');
        if (!yes)
          throw new ConfigurationError(`This deletes ${now ? `all data of ${id}` : id}: confirm with --yes`);
        if (now) return purge(adminService, id);
        const seconds = keep ?? defaultKeepSeconds;
        const { purgeAt } = await adminService.deletions.delete(id, seconds, commandLineActor());
        return `Deleted the tenant ${id}. Its data is purged at ${purgeAt}; until then "tenant restore ${id}" restores it`;
      }),
    );
  tenant
    .command('restore')
    .description('Restore a deleted site whose data is not purged.')
    .argument('<id>', 'The site.')
    .action((id: string) =>
      run(async ({ adminService }) => {
        await adminService.deletions.restore(id, commandLineActor());
        return `The tenant ${id} is no longer deleted`;
      }),
    );
  tenant
    .command('purge')
    .description(
      'Delete all data of a deleted site before its time, or of all deleted sites whose time has come. This cannot be undone.',
    )
    .argument('[id]', 'A deleted site. The default is every site whose time has come.')
    .option('--yes', 'Confirm the purge of a site before its time.')
    .action((id: string | undefined, { yes }: { yes?: true }) =>
      run(({ adminService }) => {
        if (id === undefined) return purgeDue(adminService);
        if (!yes) throw new ConfigurationError(`This deletes all data of ${id}: confirm with --yes`);
        return purgeDeleted(adminService, id);
      }),
    );
}

/** @returns seconds */
function keepOf(text: string): number {
  const seconds = parseKeep(text);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('It must be hours or days, no more than 3650d: 12h, 30d.');
}

type Service = CommandDeps['adminService'];

async function purgeDeleted(adminService: Service, id: string): Promise<string> {
  const { state } = await adminService.tenants.get(id);
  if (state !== 'pending-deletion' && state !== 'purging')
    throw new QuireError(
      'CONFLICT',
      `The tenant ${id} is not deleted: "tenant delete ${id} --now" purges it`,
    );
  return purge(adminService, id);
}

async function purge(adminService: Service, id: string): Promise<string> {
  await adminService.deletions.purge(id);
  return `Deleted the tenant ${id} and all its data`;
}

/** Continues after a site that fails. @throws QuireError SERVICE_UNAVAILABLE that names those */
async function purgeDue({ deletions }: Service): Promise<string> {
  const ids = await deletions.duePurges();
  const failures: string[] = [];
  let count = 0;
  for (const id of ids)
    await deletions.purgeDue(id, commandLineActor()).then(
      (isPurged) => (count += Number(isPurged)),
      (error: Error) => failures.push(`${id}: ${error.message}`),
    );
  if (failures.length > 0)
    throw new QuireError(
      'SERVICE_UNAVAILABLE',
      `${count} site(s) purged, not purged: ${failures.join('; ')}`,
    );
  return `${count} site(s) purged`;
}
