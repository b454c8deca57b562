import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { writeRecords } from '@quire/site-records';
import {
  addFieldColumn,
  bumpCollectionVersions,
  Collection,
  contentTableName,
  startCounting,
  createContentTable,
  Field,
  lockTable,
  Relation,
  selectFields,
  type SchemaChanges,
} from '../../schema/index.js';
import { groupRecords } from './group-records.js';

const batch = (...records: readonly string[]) => ({ records, pass: 'records' }) as const;

/**
 * The site may have had a collection with this id, from an import that was undone. Definitions and prepared statements
 * of it name its id and version, so the versions of this one count from another number.
 */
const computed = { version: 'floor(random() * 1000000000)::integer' };

/**
 * Writes collections, each with its table in a transaction of its own: tables with their indexes take many locks.
 * Services that subscribe to new collections receive no message for each entry of a package: `finishSiteRecords`
 * subscribes them.
 */
export async function writeCollections(
  ctx: Context,
  changes: SchemaChanges,
  records: readonly string[],
): Promise<void> {
  const existing = new Set(await selectCollectionIds(ctx.db));
  for (const text of records) {
    const { id, slug } = JSON.parse(text) as { id: string; slug: string };
    if (existing.has(id)) continue;
    await changes.run(ctx, async (tx) => {
      const written = await writeRecords(tx, 'collections', Collection, batch(text), { computed });
      if (written === 0) return;
      const table = contentTableName(slug);
      await createContentTable(tx, table);
      await startCounting(tx, table);
    });
  }
}

/** Writes fields with their columns and indexes, those of a collection in one transaction. */
export async function writeFields(
  ctx: Context,
  changes: SchemaChanges,
  records: readonly string[],
): Promise<void> {
  for (const [collectionId, texts] of groupRecords(records, 'collectionId')) {
    await changes.run(ctx, async (tx) => {
      // The collection keeps the time of its last change, which a user made.
      const slug = await bumpVersion(tx, collectionId);
      const table = contentTableName(slug);
      await lockTable(tx, table, 'ACCESS EXCLUSIVE');
      const known = new Set((await selectFields(tx, collectionId)).map(({ id }) => id));
      await writeRecords(tx, 'fields', Field, batch(...texts));
      const fields = await selectFields(tx, collectionId);
      for (const field of fields.filter(({ id }) => !known.has(id))) await addFieldColumn(tx, table, field);
    });
  }
}

/** Writes relations. Fields of existing collections view them. */
export async function writeRelations(
  ctx: Context,
  changes: SchemaChanges,
  records: readonly string[],
): Promise<void> {
  await changes.run(ctx, async (tx) => {
    await writeRecords(tx, 'relations', Relation, batch(...records));
    await bumpCollectionVersions(tx);
  });
}

async function selectCollectionIds(sql: Queryable): Promise<string[]> {
  const rows = await sql.query<{ id: string }>('SELECT id FROM collections');
  return rows.map(({ id }) => id);
}

/** Locks a collection and gives it a new version. @returns its slug */
async function bumpVersion(tx: Queryable, id: string): Promise<string> {
  const [collection] = await tx.query<{ slug: string }>(
    'UPDATE collections SET version = version + 1 WHERE id = $1 RETURNING slug',
    [id],
  );
  if (!collection) throw new Error(`The collection ${id} of the fields does not exist`);
  return collection.slug;
}
