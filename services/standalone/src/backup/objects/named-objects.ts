import { identifier, inSchemaSnapshot, literal, type Transaction } from '@quire/database';
import { objectDeletions } from '@quire/media-service';
import type { ObjectKeyColumn, Tenant } from '@quire/tenancy';
import type { SiteDatabase } from '../site-databases.js';

/** What a row needs its object for: `kept` must exist, `made-again` is lost with its row, `work` may have ended. */
const uses = ['kept', 'made-again', 'work'] as const;

/** A key of the object store that rows name. */
export interface NamedObject {
  key: string;
  use: (typeof uses)[number];
}

/**
 * Runs `work` with all keys that rows of a site name, in the order of their bytes and each once. They are of one moment
 * in each database, and not in memory.
 */
export function inNamedObjects<Result>(
  tenant: Tenant,
  databases: readonly SiteDatabase[],
  work: (named: AsyncGenerator<NamedObject>) => Promise<Result>,
  opened: readonly AsyncGenerator<NamedObject>[] = [],
): Promise<Result> {
  const [place, ...others] = databases;
  if (!place) return work(merge(opened));
  return inSchemaSnapshot(place.databases.tenant(tenant), (tx) =>
    inNamedObjects(tenant, others, work, [...opened, namedIn(tx, place, tenant)]),
  );
}

async function* namedIn(tx: Transaction, place: SiteDatabase, tenant: Tenant): AsyncGenerator<NamedObject> {
  const columns = place.tables.flatMap(({ objectKeys = [] }) => objectKeys);
  const selects = columns.map(
    (column) => `SELECT ${identifier(column.column)} AS key, ${uses.indexOf(useOf(column))} AS use
      FROM ${identifier(column.table)} WHERE ${column.kept?.where ?? 'true'}`,
  );
  if (place.services.includes('media'))
    selects.push(
      `SELECT object_key, ${uses.indexOf('work')} FROM ${objectDeletions.definition.name} WHERE tenant_id = ${literal(tenant.id)}`,
    );
  if (selects.length === 0) return;
  const rows = tx.copyTo(
    `COPY (SELECT min(use), key FROM (${selects.join(' UNION ALL ')}) named WHERE key IS NOT NULL
     GROUP BY key ORDER BY key COLLATE "C") TO STDOUT`,
  );
  for await (const line of linesOf(rows)) {
    const [use, key] = line.split('\t');
    yield { key: key ?? '', use: uses[Number(use)] ?? 'work' };
  }
}

function useOf({ kept, isMadeAgain }: ObjectKeyColumn): NamedObject['use'] {
  if (kept) return 'kept';
  return isMadeAgain ? 'made-again' : 'work';
}

/** Merges sorted lists. A key of several ones has its strongest use. */
async function* merge(lists: readonly AsyncGenerator<NamedObject>[]): AsyncGenerator<NamedObject> {
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const present = heads.flatMap(({ value, done }) => (done || !value ? [] : [value]));
    const [first, ...rest] = present;
    if (!first) return;
    const least = rest.reduce((found, each) => (isBefore(each, found) ? each : found), first);
    yield least;
    for (const [index, head] of heads.entries()) {
      const list = lists[index];
      if (!head.done && head.value.key === least.key && list) heads[index] = await list.next();
    }
  }
}

const isBefore = (left: NamedObject, right: NamedObject) =>
  left.key < right.key || (left.key === right.key && uses.indexOf(left.use) < uses.indexOf(right.use));

/** The lines of a text that ends with a line break. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
