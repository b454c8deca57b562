import type { Context } from '@quire/context';
import { beginSnapshot, literal, type Queryable } from '@quire/database';
import type { ResponseOf, siteRecords } from '@quire/internal-api';
import type { RecordKind } from '@quire/site-package';
import { selectOrphans } from '../../schema/index.js';
import { defaultSeed, selectUnchangedSeed } from '../../site/seed/index.js';
import { selectCopiedCollections } from '../copied-collections.js';
import { recordSources } from '../sources/record-sources.js';

type Inspection = ResponseOf<typeof siteRecords.content.inspect>;

/**
 * Compares the site with a new one. Unchanged records of the default seed are scaffold; all others are
 * blockers, those of the trash included, except settings. A table of entries without a collection counts as one: a user
 * may register it, and a collection of a package may need its name.
 */
export async function inspectSiteRecords(ctx: Context): Promise<Inspection> {
  return ctx.db.transaction(async (tx) => {
    await beginSnapshot(tx);
    const counts = await countRecords(tx);
    const scaffold = await selectUnchangedSeed(tx, defaultSeed);
    for (const { kind } of scaffold) add(counts, kind, -1);
    add(counts, 'collections', (await selectOrphans(tx)).length);
    const blockers = [...counts].flatMap(([kind, count]) => (count > 0 ? [{ kind, count }] : []));
    return { blockers, scaffold };
  });
}

/** Records of a kind that are counted; more of them are as many. */
const maxCounted = 100_000;

/** @returns the records by kind, without settings, in the order of the kinds */
async function countRecords(sql: Queryable): Promise<Map<RecordKind, number>> {
  const sources = recordSources(await selectCopiedCollections(sql), { comments: true });
  const selects = sources
    .filter(({ kind }) => kind !== 'settings')
    .map(({ kind, select }) => {
      const counted = `SELECT FROM (${select}) r LIMIT ${maxCounted}`;
      return `SELECT ${literal(kind)} AS kind, count(*)::int AS count FROM (${counted}) counted`;
    });
  const rows = await sql.query<{ kind: RecordKind; count: number }>(selects.join(' UNION ALL '));
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

function add(counts: Map<RecordKind, number>, kind: RecordKind, count: number): void {
  counts.set(kind, (counts.get(kind) ?? 0) + count);
}
