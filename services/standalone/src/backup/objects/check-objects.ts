import { identifier } from '@quire/database';
import type { ObjectStore, StoredObject } from '@quire/object-store';
import type { Tenant } from '@quire/tenancy';
import type { SiteDatabase } from '../site-databases.js';
import { inNamedObjects, type NamedObject } from './named-objects.js';

/** Keys that are listed; the others are only counted. */
const maxListed = 20;
/** An object without a row that is younger may be an upload in progress. */
const minOrphanAgeMs = 24 * 3600 * 1000;
const batchSize = 1_000;

export interface FoundObjects {
  count: number;
  /** The first keys. */
  keys: string[];
}

export interface ObjectCheck {
  /** Objects that rows name and the store does not have. */
  missing: FoundObjects;
  /** Objects of at least a day that no row names. */
  orphans: FoundObjects;
  /** Rows of lost objects that are made again. */
  lost: number;
}

export interface ObjectCheckOptions {
  databases: readonly SiteDatabase[];
  store: ObjectStore;
  /** Whether the rows of lost objects that are made again are deleted. */
  deletesLost: boolean;
  deletesOrphans: boolean;
}

/**
 * Compares the objects of a site with the rows that name them. Both are read in the order of their keys, and never in
 * memory as a whole.
 * @throws ObjectStoreUnavailable
 */
export async function checkObjects(tenant: Tenant, options: ObjectCheckOptions): Promise<ObjectCheck> {
  const { databases, store, deletesLost, deletesOrphans } = options;
  const [missing, orphans, lost] = [newList(), newList(), newList()];
  const deleteLost = inBatches((keys) => deleteRows(tenant, databases, keys));
  const deleteOrphans = inBatches((keys) => store.deleteMany(keys));
  await inNamedObjects(tenant, databases, async (named) => {
    for await (const { row, object } of pairs(named, store.list(`${tenant.id}/`))) {
      if (!row && object && Date.now() - object.modifiedAt.getTime() >= minOrphanAgeMs) {
        note(orphans, object.key);
        if (deletesOrphans) await deleteOrphans.add(object.key);
      }
      if (!row || object) continue;
      if (row.use === 'kept') note(missing, row.key);
      if (row.use !== 'made-again') continue;
      note(lost, row.key);
      if (deletesLost) await deleteLost.add(row.key);
    }
  });
  await Promise.all([deleteLost.end(), deleteOrphans.end()]);
  return { missing, orphans, lost: lost.count };
}

/** Pairs what two sorted lists have of the same key. */
async function* pairs(
  named: AsyncGenerator<NamedObject>,
  stored: AsyncIterable<StoredObject>,
): AsyncGenerator<{ row?: NamedObject; object?: StoredObject }> {
  const objects = stored[Symbol.asyncIterator]();
  let [row, object] = [await next(named), await next(objects)];
  while (row ?? object) {
    const isRow = row !== undefined && (object === undefined || row.key <= object.key);
    const isObject = object !== undefined && (row === undefined || object.key <= row.key);
    yield { ...(isRow && row && { row }), ...(isObject && object && { object }) };
    if (isRow) row = await next(named);
    if (isObject) object = await next(objects);
  }
}

async function next<Value>(iterator: AsyncIterator<Value>): Promise<Value | undefined> {
  const { value, done } = await iterator.next();
  return done ? undefined : (value as Value);
}

const newList = (): FoundObjects => ({ count: 0, keys: [] });

function note(list: FoundObjects, key: string): void {
  list.count += 1;
  if (list.keys.length < maxListed) list.keys.push(key);
}

function inBatches(work: (keys: string[]) => Promise<void>) {
  let keys: string[] = [];
  const end = async () => {
    const batch = keys;
    keys = [];
    if (batch.length > 0) await work(batch);
  };
  const add = async (key: string) => {
    keys.push(key);
    if (keys.length >= batchSize) await end();
  };
  return { add, end };
}

async function deleteRows(
  tenant: Tenant,
  databases: readonly SiteDatabase[],
  keys: readonly string[],
): Promise<void> {
  for (const { databases: of, tables } of databases)
    for (const { table, column, isMadeAgain } of tables.flatMap(({ objectKeys = [] }) => objectKeys))
      if (isMadeAgain)
        await of
          .tenant(tenant)
          .query(`DELETE FROM ${identifier(table)} WHERE ${identifier(column)} = ANY($1)`, [keys]);
}
