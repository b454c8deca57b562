import { Readable } from 'node:stream';
import { ConfigurationError } from '@quire/config';
import {
  identifier,
  migrate,
  writeRows,
  writeSequences,
  type SequenceValue,
  type Transaction,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { objectDeletions } from '@quire/media-service';
import type { ObjectStore } from '@quire/object-store';
import { replaceSite, siteStatements, tenantSchema, type Repairs, type Tenant } from '@quire/tenancy';
import { workOf } from '../services.js';
import type { ArchiveReader } from './archive/archive-reader.js';
import {
  listedObject,
  objectListPrefix,
  objectsPrefix,
  rowsPrefix,
  sequencesName,
  type BackupManifest,
} from './backup-manifest.js';
import { linesOf } from './objects/named-objects.js';
import { reconcileDatabase } from './reconcile-database.js';
import type { SiteDatabase } from './site-databases.js';

export interface RestoreTarget {
  /** The restored site, whose id may be another one than that of the backup. */
  tenant: Tenant;
  /** In the order of the manifest. */
  databases: readonly SiteDatabase[];
  store: ObjectStore;
}

export interface RestoredSite {
  /** Media objects that were written: those that the store did not have. */
  objects: number;
  repairs: Repairs;
}

/**
 * Restores a site from the entries after the manifest. All of it appears with the commits of its databases, the last
 * step: until then the site is as it was. Of several databases some may be restored when the process dies between two
 * commits: the restoration is repeated then.
 * @throws ConfigurationError for a backup that is not whole; then nothing is changed
 */
export async function restoreSite(
  archive: ArchiveReader,
  manifest: BackupManifest,
  target: RestoreTarget,
): Promise<RestoredSite> {
  return restoreFrom(0);

  /** Restores the databases from one on, each within the transaction of the one before. */
  async function restoreFrom(index: number): Promise<RestoredSite> {
    const [part, place] = [manifest.databases[index], target.databases[index]];
    if (!part || !place) return { objects: await restoreObjects(archive, manifest, target), repairs: {} };
    return replaceSite(place.databases, target.tenant, async (tx) => {
      await restoreRows({ archive, tx, index, part }, target.tenant, () =>
        moveObjectKeys(tx, manifest, place, target),
      );
      await deleteWork(tx, place, target.tenant);
      await applyMigrations(tx, place, target.tenant);
      const rest = await restoreFrom(index + 1);
      const repairs = await reconcileDatabase(tx, place, target.tenant, { rebuilds: true });
      return { ...rest, repairs: { ...rest.repairs, ...repairs } };
    });
  }
}

interface DatabasePart {
  archive: ArchiveReader;
  tx: Transaction;
  index: number;
  part: BackupManifest['databases'][number];
}

async function restoreRows(
  { archive, tx, index, part }: DatabasePart,
  tenant: Tenant,
  changeRows: () => Promise<void>,
): Promise<void> {
  const { beforeRows, afterRows } = siteStatements(part.definition, tenant);
  await tx.query(beforeRows.join(';\n'));
  for (const table of part.definition.tables) {
    const prefix = `${rowsPrefix(index, table.name)}/`;
    if ((await archive.peek())?.name.startsWith(prefix))
      await writeRows(tx, table, archive.bytesBelow(prefix)).catch((cause: unknown) => {
        if (cause instanceof ConfigurationError || cause instanceof QuireError) throw cause;
        const { message } = cause as Error;
        throw new ConfigurationError(`The rows of ${table.name} cannot be restored: ${message}`, { cause });
      });
  }
  await writeSequences(tx, (await archive.nextJson(sequencesName(index))) as SequenceValue[]);
  await changeRows();
  await tx.query(afterRows.join(';\n'));
  const names = part.definition.tables.map(({ name }) => identifier(name));
  await tx.query(`ANALYZE ${names.join(', ')}`);
}

/** Keys of objects begin with the id of the site. */
async function moveObjectKeys(
  tx: Transaction,
  { tenant: { id: former } }: BackupManifest,
  { tables }: SiteDatabase,
  { tenant: { id } }: RestoreTarget,
): Promise<void> {
  if (former === id) return;
  for (const { table, column } of tables.flatMap(({ objectKeys = [] }) => objectKeys)) {
    const name = identifier(column);
    await tx.query(
      `UPDATE ${identifier(table)} SET ${name} = $1 || substr(${name}, length($2) + 1) WHERE starts_with(${name}, $2)`,
      [`${id}/`, `${former}/`],
    );
  }
}

/** Applies what this version has and the backup lacks: the site is never served without it. */
async function applyMigrations(tx: Transaction, place: SiteDatabase, tenant: Tenant): Promise<void> {
  const sql = {
    query: tx.query,
    transaction: <Result>(work: (own: Transaction) => Promise<Result>) => work(tx),
  };
  for (const [index, { tenant: migrations }] of place.tables.entries())
    await migrate(sql, { schema: tenantSchema(tenant), service: place.services[index] ?? '', migrations });
}

/** Deletes the work of the site as it was. Deletions of objects remain: the store still has the objects. */
async function deleteWork(tx: Transaction, { services }: SiteDatabase, { id }: Tenant): Promise<void> {
  for (const table of services.flatMap((service) => workOf(service)))
    if (table !== objectDeletions)
      await tx.query(`DELETE FROM ${table.definition.name} WHERE tenant_id = $1`, [id]);
}

/** Writes the objects that the store lacks. Those that are not in the backup are copied from the original site. */
async function restoreObjects(
  archive: ArchiveReader,
  { tenant: { id: former } }: BackupManifest,
  { store, tenant: { id } }: RestoreTarget,
): Promise<number> {
  let written = 0;
  for await (const line of linesOf(archive.bytesBelow(`${objectListPrefix}/`))) {
    const { key, size } = listedObject.parse(JSON.parse(line));
    if (former === id || (await store.stat(`${id}/${key}`))?.size === size) continue;
    if (!(await store.stat(`${former}/${key}`))) continue;
    await store.copy(`${former}/${key}`, `${id}/${key}`);
    written += 1;
  }
  for (;;) {
    const entry = await archive.next();
    if (!entry) return written;
    const key = `${id}/${entry.name.slice(objectsPrefix.length)}`;
    if ((await store.stat(key))?.size === entry.size) continue;
    const bytes = Readable.from(entry.bytes, { objectMode: false });
    await store.put(key, bytes, { contentType: 'application/octet-stream', size: entry.size });
    written += 1;
  }
}
