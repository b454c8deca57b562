import { recordOperatorAction, selectTenantDetails } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { ownedTables } from '../services.js';
import { auditHeadsOf } from '../targets/auth-worker.js';
import { tenantOf } from '../tenants-of.js';
import { version } from '../version.js';
import { replaceFile, writeBackupFile } from './backup-file.js';
import { siteDatabasesOf } from './site-databases.js';
import { readSiteFacts } from './site-facts.js';
import { writeBackup, type WrittenBackup } from './write-backup.js';

export interface BackupOptions {
  /** The file, or `-` for the standard output. */
  path: string;
  /** Whether the media objects are written too, and not only their list. */
  hasObjects: boolean;
  /** For the log of operators. */
  actor: string;
}

/** Backups of sites. */
export class BackupAdminService {
  constructor(private readonly container: AppContainer) {}

  /**
   * Writes the backup of a site.
   * @returns what it has, and the bytes of the file
   * @throws QuireError NOT_FOUND (tenant); UnsupportedSchemaError; ConfigurationError (file)
   */
  async create(
    tenantId: string,
    { path, hasObjects, actor }: BackupOptions,
  ): Promise<WrittenBackup & { bytes: number }> {
    const tenant = await tenantOf(this.container, tenantId);
    const registry = await this.container.registryTables();
    const written = await writeBackupFile(path, async (archive) =>
      writeBackup(
        {
          tenant,
          // Before the snapshot of the site: the registry must not have a later audit record.
          facts: await readSiteFacts(registry, await auditHeadsOf(this.container), tenant),
          databases: await siteDatabasesOf(await ownedTables(this.container), tenant),
          store: hasObjects ? await this.container.objectStore() : undefined,
        },
        archive,
      ),
    );
    const detail = { file: path, media: hasObjects ? 'yes' : 'no' };
    await recordOperatorAction(registry, {
      actor,
      action: 'backup create',
      target: tenantId,
      detail,
      count: 1,
    });
    return written;
  }

  /**
   * Writes what belongs to no site: the list of sites, and the tokens of operators with the hashes of their secrets. It
   * is for people: `restore` reads the files of sites.
   */
  async createInstallation(path: string): Promise<void> {
    const registry = await this.container.registryTables();
    const operatorTokens = await registry.query(
      `SELECT id, name, role, token_hash AS "tokenHash", created_at AS "createdAt", expires_at AS "expiresAt"
       FROM operator_tokens ORDER BY id`,
    );
    const tenants = await selectTenantDetails(registry);
    const facts = { createdAt: new Date().toISOString(), program: version, tenants, operatorTokens };
    await replaceFile(path, `${JSON.stringify(facts, null, 2)}\n`);
  }
}
