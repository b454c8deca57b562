import { ConfigurationError } from '@quire/config';
import type { OwnedTables } from '../migration/migrate-all.js';
import { backupFormat, backupManifest, type BackupManifest } from './backup-manifest.js';
import type { SiteDatabase } from './site-databases.js';

/** @throws ConfigurationError for a manifest that this version does not understand */
export function parseManifest(json: unknown, path: string): BackupManifest {
  const { format } = json as { format?: unknown };
  if (typeof format === 'number' && format > backupFormat)
    throw new ConfigurationError(`${path} is a backup of a newer version: restore it with that version`);
  const parsed = backupManifest.safeParse(json);
  if (!parsed.success) throw new ConfigurationError(`${path} is not a usable backup: its manifest is wrong`);
  return parsed.data;
}

/**
 * Whether this program can work with the tables of a backup. Additive migrations that it does not know are no obstacle,
 * as for `migrate`.
 * @throws ConfigurationError when a newer version has changed the tables
 */
export function assertKnownMigrations({ breakingMigrations }: BackupManifest, owned: OwnedTables): void {
  const known = new Set(
    owned.flatMap(({ databases: { service }, tables: { shared, tenant } }) =>
      [...shared, ...tenant].map(({ name }) => `${service}/${name}`),
    ),
  );
  const unknown = breakingMigrations
    .map(({ service, name }) => `${service}/${name}`)
    .filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `The backup is newer than this program, which cannot work with its tables (${unknown.join(', ')}): restore it with the newer version`,
    );
}

/**
 * A site is restored into as many databases as it had.
 * @throws ConfigurationError when the services have their databases arranged otherwise here
 */
export function assertSameDatabases(manifest: BackupManifest, databases: readonly SiteDatabase[]): void {
  const arrangement = (parts: readonly { services: readonly string[] }[]) =>
    parts.map(({ services }) => services.join(', ')).join(' | ');
  const [there, here] = [arrangement(manifest.databases), arrangement(databases)];
  if (there !== here)
    throw new ConfigurationError(
      `The services of the backup share databases otherwise (${there}) than those of this installation (${here})`,
    );
}
