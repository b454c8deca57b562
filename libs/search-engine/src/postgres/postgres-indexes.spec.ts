import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Transaction, TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { newIndex, openSites, searchIndexes, type Sites } from '../conformance/fixtures.js';
import type { SearchIndex } from '../port/search-index.js';
import { tableOf } from '../tables/index-tables.js';
import { postgresEngine } from './postgres-engine.js';
import { PostgresIndexes } from './postgres-indexes.js';

const documents = 3_000;
const words = 100;

describe('the plan of a search', () => {
  let sites: Sites;
  let db: TransactionalDatabase;
  let index: SearchIndex;
  beforeAll(async () => {
    sites = await openSites(testStores().databaseUrl);
    const site = await sites.add();
    db = site.db;
    index = newIndex();
    await postgresEngine().of(site).create(index);
    // Half of the documents have the word, a hundredth of them in the title.
    await db.query(
      `INSERT INTO ${tableOf('index', index)}
         (id, view, version, is_removed, statuses, locale, title, texts, title_terms, terms)
       SELECT i::text, 0, 1, false, '{published,all}', 'en', '', '{}',
         (CASE WHEN i % 100 = 0 THEN 'common' ELSE 'rare' END)::tsvector,
         (SELECT string_agg(CASE WHEN w = 1 AND i % 2 = 0 THEN 'common:1' ELSE md5(i || '/' || w) || ':' || w END, ' ')
          FROM generate_series(1, $2::integer) AS w)::tsvector
       FROM generate_series(1, $1::integer) AS i`,
      [documents, words],
    );
    await db.query(`VACUUM ANALYZE ${tableOf('index', index)}`);
  });
  afterAll(() => sites.close());

  /** The plans of the statements of a search, as text, and the ids of its hits. */
  async function planOf(text: string): Promise<{ plan: string; ids: string[] }> {
    let plan = '';
    const explaining = (tx: Transaction): Transaction => ({
      ...tx,
      query: async (statement, values) => {
        const given = typeof statement === 'string' ? { text: statement, values } : statement;
        if (given.text.startsWith('SELECT')) {
          const rows = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${given.text}`, given.values);
          plan += rows.map((row) => row['QUERY PLAN']).join('\n');
        }
        return tx.query(statement, values);
      },
    });
    const observed: TransactionalDatabase = {
      query: (statement, values) => db.query(statement, values),
      transaction: (work) => db.transaction((tx) => work(explaining(tx))),
    };
    const { hits } = await searchIndexes(new PostgresIndexes(observed), text, { indexes: [index] });
    return { plan, ids: hits.map(({ id }) => id) };
  }

  it.each(['common', 'common rare', '"common rare"'])(
    'reads no row of the table that lacks the words: %s',
    async (text) => {
      const { plan } = await planOf(text);
      expect(plan).toContain('Bitmap Index Scan');
      expect(plan).not.toContain('Seq Scan');
    },
  );

  it('reads the index of titles only for rows whose titles have the words', async () => {
    const { plan, ids } = await planOf('common');
    expect(plan).not.toContain('BitmapAnd');
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.every((id) => id.endsWith('00'))).toBe(true);
  });
});
