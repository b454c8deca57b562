import type { Command } from 'commander';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Semaphore } from 'async-mutex';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import { defaultTenantId } from '@quire/tenancy';
import { BackupAdminService } from '../backup/backup-admin-service.js';
import { backupFileName, backupPath } from '../backup/backup-file.js';
import { siteIdOf } from '../backup/backup-manifest.js';
import { verifyBackup } from '../backup/verify-backup.js';
import type { WrittenBackup } from '../backup/write-backup.js';
import { defaultJobs } from '../migration/migrate-all.js';
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
  { to, media, jobs = defaultJobs }: CreateOptions,
): Promise<string> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const service = new BackupAdminService(installation);
  const sites = await adminService.tenants.list();
  let failed = 0;
  // A backup has a connection of the pool to its end.
  const maxJobs = Math.max(1, installation.environment.CMS_DATABASE_POOL_SIZE - 2);
  const slots = new Semaphore(Math.min(jobs, maxJobs));
  const create = async (id: string) => {
    const path = join(to, backupFileName(id));
    try {
      const written = await service.create(id, {
        path,
        hasObjects: media === true,
        actor: commandLineActor(),
      });
      await print(lineOf(id, path, written));
    } catch (error) {
      failed += 1;
      await print(`failed  ${id}  ${(error as Error).message}`);
    }
  };
  await Promise.all(sites.map(({ id }) => slots.runExclusive(() => create(id))));
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
