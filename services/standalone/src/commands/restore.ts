import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import type { Repairs } from '@quire/tenancy';
import { ReconcileAdminService } from '../backup/reconcile-admin-service.js';
import { siteIdOf } from '../backup/backup-manifest.js';
import type { FoundObjects } from '../backup/objects/check-objects.js';
import { RestoreAdminService, type RestorePlan } from '../backup/restore-admin-service.js';
import { readBackupFolder, restoreFolder, type FolderRestoration } from '../backup/restore-folder.js';
import { commandLineActor } from './queues/index.js';
import { collect, jobsOption, type CommandDeps, type RunCommand } from './run-command.js';

interface RestoreCommandOptions {
  tenant?: string;
  as?: string;
  host?: string[];
  database?: string;
  dryRun?: true;
  yes?: true;
  all?: true;
  jobs?: number;
  json?: true;
}

/** Commands that restore backups of sites, and bring derived data in line. */
export function addRestoreCommands(program: Command, run: RunCommand): void {
  program
    .command('restore')
    .description(
      'Restore a site from a backup, here or into another installation. The site appears whole, or remains as it was. Restore only files that you trust: they have statements.',
    )
    .argument('<path>', 'The backup, or with --all a folder of backups.')
    .option(
      '--all',
      'Restore every site of a folder that "backup create --all" has written, and leave existing sites as they are. Repeat the command after an interruption.',
    )
    .option('--tenant <id>', 'Restore only a backup of this site.')
    .option('--as <id>', 'The id of the restored site. The default is that of the backup.')
    .option(
      '--host <host>',
      'A host name. May be repeated. The default is the host names of the backup, for a new site with its id.',
      collect,
    )
    .option('--database <key>', 'The database of DATABASE_URL_<key>, for a new site.')
    .option('--dry-run', 'Read the backup, check everything, and change nothing.')
    .option('--yes', 'Replace all data of a site that exists.')
    .option(...jobsOption)
    .option('--json', 'With --all, print a JSON object for each backup.')
    .action((path: string, options: RestoreCommandOptions) =>
      run((deps) => (options.all ? restoreAll(deps, path, options) : restore(deps, path, options))),
    );
  program
    .command('reconcile')
    .description(
      'Bring what derives from the tables of sites in line with them: schedules, pending work, search indexes, media usage and media files. Print what was found and repaired.',
    )
    .option('--tenant <id>', 'The site. The default is all sites.')
    .option('--dry-run', 'Change nothing.')
    .option('--rebuild', 'Build the search indexes and the index of media usage again.')
    .option('--delete-orphans', 'Delete media files that no row names and that are at least a day old.')
    .action((options: { tenant?: string; dryRun?: true; rebuild?: true; deleteOrphans?: true }) =>
      run(async ({ installation, print }) => {
        const service = new ReconcileAdminService(installation);
        let differences = 0;
        for (const tenant of await service.tenants(options.tenant)) {
          const { repairs, objects } = await service.reconcile(tenant, {
            isDryRun: options.dryRun === true,
            rebuilds: options.rebuild === true,
            deletesOrphans: options.deleteOrphans === true,
          });
          const lines = [...linesOf(repairs), ...objectLines(objects)];
          differences += lines.length;
          for (const line of lines) await print(`${tenant.id}: ${line}`);
        }
        if (differences === 0) return 'Nothing to reconcile';
        return options.dryRun ? 'Nothing was changed' : 'Done: workers rebuild indexes in the background';
      }),
    );
}

async function restore(
  { installation, print }: CommandDeps,
  path: string,
  { dryRun, yes, host, jobs, json, ...options }: RestoreCommandOptions,
): Promise<string> {
  if (jobs !== undefined || json) throw new ConfigurationError('--jobs and --json need --all');
  const service = new RestoreAdminService(installation);
  const plan = await service.plan({ path, hosts: host, replaces: yes ?? dryRun ?? false, ...options });
  const { manifest } = plan;
  if (dryRun) return `${describe(plan)}. Nothing was changed`;
  const { written, repairs, objects } = await service.restore(plan, { path, actor: commandLineActor() });
  for (const line of [...linesOf(repairs), ...objectLines(objects)]) await print(line);
  return `Restored the tenant ${plan.id} as of ${manifest.createdAt}, and ${written} media file(s)`;
}

/** Prints a line for each backup at its end. @throws QuireError SERVICE_UNAVAILABLE when some failed */
async function restoreAll(
  { installation, print }: CommandDeps,
  folder: string,
  { jobs, json, dryRun, yes, ...single }: RestoreCommandOptions,
): Promise<string> {
  if (single.tenant ?? single.as ?? single.host ?? single.database)
    throw new ConfigurationError('--all has no --tenant, --as, --host and --database');
  const counts = { restored: 0, checked: 0, existing: 0, failed: 0 };
  await restoreFolder(installation, await readBackupFolder(folder), {
    jobs,
    replaces: yes === true,
    isDryRun: dryRun === true,
    actor: commandLineActor(),
    async onBackup(restoration) {
      counts[restoration.outcome] += 1;
      for (const line of json ? [jsonOf(restoration)] : folderLines(restoration)) await print(line);
    },
  });
  const done = dryRun ? `${counts.checked} site(s) would be restored` : `${counts.restored} site(s) restored`;
  const summary = `${done}, ${counts.existing} existed, ${counts.failed} failed`;
  if (counts.failed > 0) throw new QuireError('SERVICE_UNAVAILABLE', summary);
  return json ? '' : summary;
}

function folderLines(restoration: FolderRestoration): string[] {
  const { outcome, path } = restoration;
  if (outcome === 'failed') return [`failed    ${path}  ${restoration.error}`];
  const { id, manifest } = restoration.plan;
  const line = `${outcome.padEnd(8)}  ${id}  ${path}`;
  if (outcome !== 'restored') return [line];
  const { written, repairs, objects } = restoration.result;
  return [
    `${line}, as of ${manifest.createdAt}, and ${written} media file(s)`,
    ...[...linesOf(repairs), ...objectLines(objects)].map((each) => `${id}: ${each}`),
  ];
}

function jsonOf(restoration: FolderRestoration): string {
  const { outcome, path: file, id } = restoration;
  if (outcome === 'failed') return JSON.stringify({ file, id, outcome, error: restoration.error });
  const { createdAt } = restoration.plan.manifest;
  if (outcome !== 'restored') return JSON.stringify({ file, id, outcome, createdAt });
  const { written, repairs, objects } = restoration.result;
  const missing = objects.missing.count;
  return JSON.stringify({ file, id, outcome, createdAt, mediaFiles: written, missing, repairs });
}

function describe({ manifest, id, hosts, isRegistered }: RestorePlan): string {
  const { createdAt, program, hasObjects } = manifest;
  return [
    `The backup of ${siteIdOf(manifest)} of ${createdAt} (version ${program}) is whole`,
    isRegistered ? `it would replace the tenant ${id}` : `it would create the tenant ${id}`,
    ...(hosts.length > 0 ? [`its hosts would be ${hosts.join(', ')}`] : []),
    hasObjects ? 'it has the media files' : 'it has no media files',
  ].join('; ');
}

const linesOf = (repairs: Repairs): string[] =>
  Object.entries(repairs).flatMap(([what, count]) => (count > 0 ? [`${what}: ${count}`] : []));

function objectLines({
  missing,
  orphans,
  lost,
}: {
  missing: FoundObjects;
  orphans: FoundObjects;
  lost: number;
}): string[] {
  const listed = (what: string, { count, keys }: FoundObjects) =>
    count === 0 ? [] : [`${what}: ${count} (${keys.join(', ')}${count > keys.length ? ', …' : ''})`];
  return [
    ...listed('missing media files', missing),
    ...listed('media files that no row names', orphans),
    ...(lost > 0 ? [`lost image variants, made again on demand: ${lost}`] : []),
  ];
}
