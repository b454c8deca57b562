import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { countUsers } from '@quire/auth-service';
import { ConfigurationError } from '@quire/config';
import type { AppContainer } from '../app-container.js';
import { forEachSite, jobsWithConnection } from '../for-each-site.js';
import { databasesOf } from '../services.js';
import { ArchiveReader } from './archive/archive-reader.js';
import { backupFileEnd } from './backup-file.js';
import { manifestName, siteIdOf } from './backup-manifest.js';
import { parseManifest } from './check-manifest.js';
import {
  assertNothingReplaced,
  RestoreAdminService,
  type RestorePlan,
  type RestoreResult,
} from './restore-admin-service.js';

/** A backup of a folder. */
export interface FolderBackup {
  path: string;
  /** Id of its site; null for a file that is no usable backup. */
  id: string | null;
}

/** `existing`: the site is there, and was left as it is. `checked`: it would be restored. */
export type FolderRestoration =
  | (FolderBackup & { outcome: 'restored'; plan: RestorePlan; result: RestoreResult })
  | (FolderBackup & { outcome: 'checked' | 'existing'; plan: RestorePlan })
  | (FolderBackup & { outcome: 'failed'; error: string });

export interface RestoreFolderOptions {
  /** Sites at the same time; no more than the connections of the process allow. */
  jobs?: number | undefined;
  /** Whether existing sites are replaced too. */
  replaces: boolean;
  /** Whether to change nothing. */
  isDryRun: boolean;
  actor: string;
  /** Called after each backup, in the order of the ends. */
  onBackup: (restoration: FolderRestoration) => Promise<void>;
}

/**
 * The backups of a folder, in the order of their names.
 * @throws ConfigurationError when the folder has none, or two of one site
 */
export async function readBackupFolder(folder: string): Promise<FolderBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${folder}: the folder cannot be read (${error.code ?? 'error'})`);
  });
  const paths = names.filter((name) => name.endsWith(backupFileEnd)).sort();
  if (paths.length === 0)
    throw new ConfigurationError(`${folder}: there are no backups (files *${backupFileEnd})`);
  const backups: FolderBackup[] = [];
  const pathsBySite = new Map<string, string>();
  for (const path of paths.map((name) => join(folder, name))) {
    const manifest = await readManifest(path).catch(() => undefined);
    backups.push({ path, id: manifest ? siteIdOf(manifest) : null });
    // Backups from before and after a rename have the same storage id.
    for (const id of new Set(manifest ? [manifest.tenant.id, siteIdOf(manifest)] : [])) {
      const other = pathsBySite.get(id);
      if (other !== undefined)
        throw new ConfigurationError(`${other} and ${path} are backups of one site: remove one of them`);
      pathsBySite.set(id, path);
    }
  }
  return backups;
}

/**
 * Restores the sites of a folder, several at the same time. One that fails does not stop the others, and remains as it
 * was. Without permission to replace sites an existing one is left as it is, unless it has no user: `migrate` creates
 * the site `default`. So an interrupted run is continued by a repeated one.
 */
export async function restoreFolder(
  container: AppContainer,
  backups: readonly FolderBackup[],
  { jobs, replaces, isDryRun, actor, onBackup }: RestoreFolderOptions,
): Promise<void> {
  const service = new RestoreAdminService(container);
  const restore = async (backup: FolderBackup): Promise<FolderRestoration> => {
    const { path } = backup;
    const plan = await service.plan({ path, replaces: true });
    if (!replaces && !(await isUnused(container, plan))) {
      if (plan.isRegistered) return { ...backup, outcome: 'existing', plan };
      await assertNothingReplaced(plan);
    }
    if (isDryRun) return { ...backup, outcome: 'checked', plan };
    return { ...backup, outcome: 'restored', plan, result: await service.restore(plan, { path, actor }) };
  };
  await forEachSite(backups, {
    jobs: jobsWithConnection(container, jobs),
    work: restore,
    onDone: (_, restoration) => onBackup(restoration),
    onFailed: (backup, { message }) => onBackup({ ...backup, outcome: 'failed', error: message }),
  });
}

async function readManifest(path: string) {
  const archive = new ArchiveReader(path);
  try {
    return parseManifest(await archive.nextJson(manifestName), path);
  } finally {
    await archive.close();
  }
}

/** Whether a site is registered without a user. */
async function isUnused(
  container: AppContainer,
  { tenant, isRegistered }: Pick<RestorePlan, 'tenant' | 'isRegistered'>,
): Promise<boolean> {
  if (!isRegistered) return false;
  const databases = await databasesOf(container, 'auth');
  return (await countUsers(databases.tenant(tenant))) === 0;
}
