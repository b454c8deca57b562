import type { Command } from 'commander';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import { defaultTenantId } from '@quire/tenancy';
import { BackupAdminService } from '../backup/backup-admin-service.js';
import { backupFileName, backupPath } from '../backup/backup-file.js';
import { siteIdOf } from '../backup/backup-manifest.js';
import { verifyBackup } from '../backup/verify-backup.js';
import type { WrittenBackup } from '../backup/write-backup.js';
import { forEachSite, jobsWithConnection } from '../for-each-site.js';
import { commandLineActor } from './queues/index.js';
import { jobsOption, type CommandDeps, type RunCommand } from './run-command.js';

interface CreateOptions {
  tenant?: string;
  all?: true;
  to: string;
  media?: true;
  jobs?: number;
}

/** Commands that make and check backups of sites. */
export function addBackupCommands(program: Command, run: RunCommand): void {
  const backup = program.command('backup');
  backup
    .command('create')
    .description(
      'Write a backup of a site: its tables, what the registry knows of it, and a list of its media files. The file has personal data and hashes of secrets.',
    )
    .option('--tenant <id>', 'The site. The default is the site default.')
    .option('--all', 'Write a file for each site, in the folder of --to.')
    .requiredOption('--to <path>', 'The file, a folder, or - for the standard output.')
    .option('--media', 'Write the media files too.')
    .option(...jobsOption)
    .action((options: CreateOptions) =>
      run((deps) => {
        if (options.all && (options.tenant !== undefined || options.to === '-'))
          throw new ConfigurationError('--all needs a folder in --to, and no --tenant');
        return options.all ? createAll(deps, options) : createOne(deps, options);
      }),
    );
  backup
    .command('verify')
    .description('Read a backup to its end and check that it is whole and unchanged.')
    .argument('<file>', 'The backup.')
    .action((file: string) =>
      run(async () => {
        const { manifest, objects } = await verifyBackup(file);
        const { createdAt, program: version, hasObjects } = manifest;
        const media = hasObjects ? `${objects} media file(s)` : 'no media files';
        return `${file} is whole: the tenant ${siteIdOf(manifest)} of ${createdAt}, version ${version}, with ${media}`;
      }),
    );
}

async function createOne(
  { installation }: CommandDeps,
  { tenant = defaultTenantId, to, media }: CreateOptions,
): Promise<string> {
  const path = await backupPath(to, tenant);
  const written = await new BackupAdminService(installation).create(tenant, {
    path,
    hasObjects: media === true,
    actor: commandLineActor(),
  });
  return path === '-' ? '' : lineOf(tenant, path, written);
}

/** Prints a line for each site at its end. @throws QuireError SERVICE_UNAVAILABLE when some failed */
async function createAll(
  { adminService, installation, print }: CommandDeps,
  { to, media, jobs }: CreateOptions,
): Promise<string> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const service = new BackupAdminService(installation);
  // The data of the others is being deleted.
  const sites = (await adminService.tenants.details()).filter(({ state }) => state !== 'purging');
  let failed = 0;
  const pathOf = (id: string) => join(to, backupFileName(id));
  await forEachSite(sites, {
    jobs: jobsWithConnection(installation, jobs),
    work: ({ id }) =>
      service.create(id, { path: pathOf(id), hasObjects: media === true, actor: commandLineActor() }),
    onDone: ({ id }, written) => print(lineOf(id, pathOf(id), written)),
    onFailed: async ({ id }, { message }) => {
      failed += 1;
      await print(`failed  ${id}  ${message}`);
    },
  });
  await service.createInstallation(join(to, 'installation.json'));
  const summary = `${sites.length - failed} backup(s) written, ${failed} failed`;
  if (failed > 0) throw new QuireError('SERVICE_UNAVAILABLE', summary);
  return summary;
}

function lineOf(
  id: string,
  path: string,
  { bytes, tables, objects, missing }: WrittenBackup & { bytes: number },
): string {
  const line = `${id}: ${path}, ${bytes} bytes, ${tables} tables, ${objects} media file(s)`;
  return missing.length === 0
    ? line
    : `${line}; ${missing.length} media file(s) are missing in the store: ${missing.slice(0, 5).join(', ')}`;
}
