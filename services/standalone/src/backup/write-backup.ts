import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import {
  identifier,
  inSchemaSnapshot,
  literal,
  readRows,
  readSchemaDefinition,
  readSequences,
  type SchemaDefinition,
  type Transaction,
} from '@quire/database';
import type { ObjectStore } from '@quire/object-store';
import type { Tenant } from '@quire/tenancy';
import type { ArchiveWriter } from './archive/archive-writer.js';
import {
  manifestName,
  objectListPrefix,
  objectsPrefix,
  rowsPrefix,
  sequencesName,
  type BackupManifest,
  type ListedObject,
  type MigrationName,
} from './backup-manifest.js';
import type { SiteDatabase } from './site-databases.js';

export interface BackupSource {
  tenant: Tenant;
  databases: readonly SiteDatabase[];
  /** What the registry knows of the site. It is read before the site, so that it has no later audit record. */
  facts: Omit<BackupManifest, 'databases' | 'hasObjects'>;
  /** Undefined for a backup without the media objects. */
  store: ObjectStore | undefined;
}

export interface WrittenBackup {
  tables: number;
  objects: number;
  /** Keys of objects that rows name and the store does not have. */
  missing: string[];
}

/** The snapshot of a database of the site. */
interface Snapshot {
  place: SiteDatabase;
  tx: Transaction;
  definition: SchemaDefinition;
  migrations: MigrationName[];
}

/**
 * Writes a site into an archive. The rows of a database are of one moment, and those of several databases of moments as
 * close as possible; writers wait for none of it.
 * @throws UnsupportedSchemaError for a site with parts that would be lost
 */
export async function writeBackup(source: BackupSource, archive: ArchiveWriter): Promise<WrittenBackup> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-backup-'));
  try {
    const listPath = join(folder, 'objects.jsonl');
    const tables = await inSnapshots(source, [], async (snapshots) => {
      await archive.addJson(manifestName, manifestOf(source, snapshots));
      for (const [index, snapshot] of snapshots.entries()) await writeRows(snapshot, index, archive);
      const objects = listObjects(source.tenant, snapshots);
      await pipeline(objects, createWriteStream(listPath, { mode: 0o600 }));
      return snapshots.reduce((sum, { definition }) => sum + definition.tables.length, 0);
    });
    await archive.addPieces(objectListPrefix, createReadStream(listPath));
    const written = source.store && (await writeObjects(source.tenant, source.store, listPath, archive));
    return { tables, ...(written ?? { objects: 0, missing: [] }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens the snapshots of all databases, one in the other. */
function inSnapshots<Result>(
  source: BackupSource,
  opened: readonly Snapshot[],
  work: (snapshots: readonly Snapshot[]) => Promise<Result>,
): Promise<Result> {
  const place = source.databases[opened.length];
  if (!place) return work(opened);
  return inSchemaSnapshot(place.databases.tenant(source.tenant), async (tx) => {
    const definition = await readSchemaDefinition(tx);
    const migrations = await tx.query<MigrationName>(
      'SELECT service, name FROM _migrations ORDER BY service, name',
    );
    return inSnapshots(source, [...opened, { place, tx, definition, migrations }], work);
  });
}

const manifestOf = ({ facts, store }: BackupSource, snapshots: readonly Snapshot[]): BackupManifest => ({
  ...facts,
  databases: snapshots.map(({ place: { services }, definition, migrations }) => ({
    services,
    migrations,
    definition: definition as BackupManifest['databases'][number]['definition'],
  })),
  hasObjects: store !== undefined,
});

/** Rows of unlogged tables are work in progress, which PostgreSQL does not keep either. */
async function writeRows({ tx, definition }: Snapshot, index: number, archive: ArchiveWriter): Promise<void> {
  for (const table of definition.tables)
    if (!table.isUnlogged) await archive.addPieces(rowsPrefix(index, table.name), readRows(tx, table));
  await archive.addJson(sequencesName(index), await readSequences(tx, definition.sequences));
}

/** Lines of JSON, each a `ListedObject`: keys have no characters that COPY escapes. */
async function* listObjects({ id }: Tenant, snapshots: readonly Snapshot[]): AsyncGenerator<Buffer> {
  for (const { tx, place } of snapshots)
    for (const { table, column, kept } of place.tables.flatMap(({ objectKeys = [] }) => objectKeys)) {
      if (!kept) continue;
      const key = `substr(${identifier(column)}, length(${literal(id)}) + 2)`;
      yield* tx.copyTo(
        `COPY (SELECT json_build_object('key', ${key}, 'size', ${identifier(kept.size)})
         FROM ${identifier(table)} WHERE ${identifier(column)} IS NOT NULL AND (${kept.where}) ORDER BY ${identifier(column)}) TO STDOUT`,
      );
    }
}

async function writeObjects(
  { id }: Tenant,
  store: ObjectStore,
  listPath: string,
  archive: ArchiveWriter,
): Promise<Pick<WrittenBackup, 'objects' | 'missing'>> {
  const missing: string[] = [];
  let objects = 0;
  for await (const line of createInterface({ input: createReadStream(listPath) })) {
    const { key } = JSON.parse(line) as ListedObject;
    const opened = await store.get(`${id}/${key}`);
    if (!opened) {
      missing.push(key);
      continue;
    }
    await archive.addStream(`${objectsPrefix}${key}`, opened.size, opened.bytes);
    objects += 1;
  }
  return { objects, missing };
}
