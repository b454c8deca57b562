import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { identifier, type Transaction } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { contentTableName, createContentTable } from '../tables/content-table.repository.js';
import {
  contentVersion,
  selectContentVersion,
  selectCountedTables,
  startCounting,
} from './content-changes.repository.js';

const longSlug = `long_${'x'.repeat(55)}`;
const long = contentTableName(longSlug);
const maxIncrement = 1_048_576;

let content: ServiceTenant;
const sql = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  content.ctx.db.query<Row>(text, values);
const transaction = <Result>(work: (tx: Transaction) => Promise<Result>) => content.ctx.db.transaction(work);

beforeAll(async () => {
  content = await openServiceTenant('spec-of-changes', 'content', contentTables, contentEntities);
  for (const table of ['content_posts', 'content_pages', long]) {
    await createContentTable(content.ctx.db, table);
    await startCounting(content.ctx.db, table);
  }
  await sql(
    "INSERT INTO taxonomies (id, name, hierarchical, collections) VALUES ('y', 'topic', false, '{}')",
  );
  await sql("INSERT INTO byline_groups (id, custom_fields) VALUES ('b', '{}')");
});
afterAll(() => content.close());

const counters = [
  'content_posts',
  'content_pages',
  long,
  'schema',
  'bylines',
  'terms',
  'links',
  'import-errors',
];
const versions = async () => {
  const all = counters.map(
    async (name) => [name, await selectContentVersion(content.ctx.db, [name])] as const,
  );
  return new Map(await Promise.all(all));
};
/** Runs an action. @returns the counters that it changed */
async function changedBy(action: () => Promise<unknown>): Promise<string[]> {
  const before = await versions();
  await action();
  const after = await versions();
  for (const name of counters)
    expect(Number(after.get(name))).toBeGreaterThanOrEqual(Number(before.get(name)));
  return counters.filter((name) => before.get(name) !== after.get(name));
}

const entry = (table: string, id: string) =>
  sql(`INSERT INTO ${identifier(table)} (id, _locale, _translation_group) VALUES ($1, 'en', $1)`, [id]);
const revision = (id: string, collection: string) =>
  sql(`INSERT INTO revisions (id, collection, entry_id, data) VALUES ($1, $2, 'e', '{}')`, [id, collection]);

describe('the counters of changes', () => {
  it.each<[string, string[], () => Promise<unknown>]>([
    ['an entry is inserted', ['content_posts'], () => entry('content_posts', 'a')],
    ['an entry is updated', ['content_posts'], () => sql("UPDATE content_posts SET slug = 'x'")],
    ['an entry is deleted', ['content_pages'], () => sql('DELETE FROM content_pages')],
    ['a table of entries is emptied', ['schema'], () => sql('TRUNCATE content_posts')],
    ['a revision is inserted', ['content_posts'], () => revision('r', 'posts')],
    ['revisions of a long slug', [long], () => revision('l', longSlug)],
    [
      'a revision is rewritten',
      ['content_posts'],
      () => sql("UPDATE revisions SET data = '[]' WHERE id = 'r'"),
    ],
    [
      'revisions are deleted',
      ['content_posts', long],
      () => sql("DELETE FROM revisions WHERE id IN ('r', 'l')"),
    ],
    ['no revision is deleted', [], () => sql("DELETE FROM revisions WHERE id = 'none'")],
    [
      'a credit is inserted',
      ['content_pages'],
      () =>
        sql(
          "INSERT INTO entry_bylines (entry_id, collection, byline_group, sort_order) VALUES ('e', 'pages', 'b', 0)",
        ),
    ],
    ['a credit is deleted', ['content_pages'], () => sql('DELETE FROM entry_bylines')],
    ['credits are emptied', ['schema'], () => sql('TRUNCATE entry_bylines')],
    [
      'shared fields of bylines change',
      ['bylines'],
      () => sql("UPDATE byline_groups SET custom_fields = '{}'"),
    ],
    [
      'a term is created',
      ['terms'],
      () => sql("INSERT INTO term_groups (id, taxonomy_id, sort_order) VALUES ('t', 'y', 0)"),
    ],
    [
      'a term is assigned',
      ['content_posts'],
      () => sql("INSERT INTO entry_terms VALUES ('g', 't', 'posts')"),
    ],
    [
      'a foreign key deletes an assignment',
      ['content_posts', 'terms'],
      () => sql("DELETE FROM term_groups WHERE id = 't'"),
    ],
    ['links are deleted', ['links'], () => sql('DELETE FROM reference_links')],
    ['links are emptied', ['links'], () => sql('TRUNCATE reference_links')],
    ['a failed import is forgotten', ['import-errors'], () => sql('DELETE FROM import_errors')],
    ['the schema changes', ['schema'], () => sql('UPDATE collections SET version = version + 1')],
    ['another table changes', [], () => sql("INSERT INTO settings (key, value) VALUES ('title', '1')")],
  ])('grow when %s: %j', async (_, expected, action) => {
    expect(await changedBy(action)).toEqual(expected);
  });

  it('count the statement of an operator with another search path', async () => {
    const [current] = await sql<{ schema: string }>('SELECT current_schema() AS schema');
    const table = `${identifier(current?.schema ?? '')}.content_posts`;
    const changed = await changedBy(() =>
      transaction(async (tx) => {
        await tx.query('SET LOCAL search_path TO pg_catalog');
        await tx.query(`UPDATE ${table} SET slug = 'other'`);
      }),
    );
    expect(changed).toEqual(['content_posts']);
  });

  it('do not grow by a transaction that is rolled back, also in part', async () => {
    const changed = await changedBy(() =>
      transaction(async (tx) => {
        await tx.query('SAVEPOINT before');
        await tx.query('DELETE FROM content_posts');
        await tx.query('ROLLBACK TO before');
        await tx.query('DELETE FROM content_pages');
      }),
    );
    expect(changed).toEqual(['content_pages']);
    const failed = () =>
      transaction(async (tx) => {
        await tx.query('DELETE FROM content_posts');
        throw new Error('rolled back');
      }).catch(() => undefined);
    expect(await changedBy(failed)).toEqual([]);
  });

  it('grow once by a transaction with many statements', async () => {
    const before = Number(await selectContentVersion(content.ctx.db, ['content_posts']));
    await transaction(async (tx) => {
      for (let count = 0; count < 50; count += 1) await tx.query('DELETE FROM content_posts');
      await tx.query(
        "INSERT INTO revisions (id, collection, entry_id, data) VALUES ('m', 'posts', 'e', '{}')",
      );
    });
    const grown = Number(await selectContentVersion(content.ctx.db, ['content_posts'])) - before;
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThanOrEqual(maxIncrement);
  });

  it('do not make transactions wait for each other', async () => {
    await transaction(async (first) => {
      await first.query('DELETE FROM content_posts');
      const second = () =>
        transaction(async (tx) => {
          await tx.query("SET LOCAL lock_timeout = '5s'");
          await tx.query('DELETE FROM content_posts');
        });
      expect(await changedBy(second)).toEqual(['content_posts']);
    });
  });

  it('are null for a table that is not counted, and differ for a new table of a name', async () => {
    const version = () => selectContentVersion(content.ctx.db, ['content_posts', 'content_former']);
    await createContentTable(content.ctx.db, 'content_former');
    expect(await version()).toBeNull();
    const counted = () => selectCountedTables(content.ctx.db, ['content_posts', 'content_former']);
    expect(await counted()).toEqual(['content_posts']);
    await startCounting(content.ctx.db, 'content_former');
    expect((await counted()).sort()).toEqual(['content_former', 'content_posts']);
    const before = await version();
    await sql('DROP TABLE content_former');
    await createContentTable(content.ctx.db, 'content_former');
    await startCounting(content.ctx.db, 'content_former');
    expect(await version()).not.toBe(before);
    expect(before).toMatch(/^\d+$/);
  });

  it('are the same as a column of another statement', async () => {
    const [row] = await sql<{ version: string }>(`SELECT ${contentVersion(counters)} AS version`);
    expect(row?.version).toBe(await selectContentVersion(content.ctx.db, counters));
  });
});

describe('the shares of server processes that have ended', () => {
  const shares = async () =>
    (await sql<{ shard: number }>("SELECT shard FROM change_counters WHERE name = 'content_pages'")).map(
      ({ shard }) => shard,
    );
  const total = async () => Number(await selectContentVersion(content.ctx.db, ['content_pages']));

  beforeEach(async () => {
    // Every connection has its first change of the counter before it.
    await sql("DELETE FROM change_counters WHERE name = 'content_pages'");
    await sql("INSERT INTO change_counters SELECT 'content_pages', -n, n FROM generate_series(1, 40) n");
  });

  it('are added to that of a writer: the sum remains the same', async () => {
    const before = await total();
    expect(before).toBe(820);
    await sql('DELETE FROM content_pages');
    expect(await shares()).toHaveLength(1);
    const grown = (await total()) - before;
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThanOrEqual(maxIncrement);
  });

  it('remain while another transaction has them, or the writer reads an older snapshot', async () => {
    await transaction(async (first) => {
      await first.query(
        "SELECT 1 FROM change_counters WHERE name = 'content_pages' AND shard > -21 FOR UPDATE",
      );
      await transaction(async (second) => {
        await second.query("SET LOCAL lock_timeout = '5s'");
        await second.query('DELETE FROM content_pages');
      });
    });
    expect((await shares()).filter((shard) => shard < 0)).toHaveLength(20);
    await sql("DELETE FROM change_counters WHERE name = 'content_pages' AND shard > 0");
    await transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await tx.query('DELETE FROM content_pages');
    });
    expect((await shares()).filter((shard) => shard < 0)).toHaveLength(20);
  });

  it('are kept while the server process runs', async () => {
    await transaction(async (first) => {
      await first.query('DELETE FROM content_pages');
      const [own] = await first.query<{ shard: number }>('SELECT pg_backend_pid() AS shard');
      await first.query('COMMIT; BEGIN');
      await sql("INSERT INTO change_counters SELECT 'content_pages', -n, n FROM generate_series(1, 40) n");
      // The first transaction keeps its connection: this one runs on another.
      await sql('DELETE FROM content_pages');
      expect(await shares()).toHaveLength(2);
      expect(await shares()).toContain(own?.shard);
    });
  });
});
