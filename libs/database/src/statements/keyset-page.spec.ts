import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { KeysetPage } from './keyset-page.js';
import { Parameters } from './parameters.js';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: testStores().databaseUrl });
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE pages (id text PRIMARY KEY, rank integer)');
  // Every value three times and every fourth row without one: ties and nulls are the hard cases of keysets.
  await client.query(
    "INSERT INTO pages SELECT 'r' || lpad(n::text, 2, '0'), CASE WHEN n % 4 = 0 THEN NULL ELSE n % 5 END FROM generate_series(1, 40) n",
  );
});
afterAll(() => client.end());

interface Row {
  id: string;
  rank: number | null;
}

type Statement = (page: KeysetPage, parameters: Parameters) => string;

const whole: Statement = (page, parameters) =>
  `SELECT id, rank FROM pages WHERE ${page.condition(parameters)} ${page.order(parameters)}`;

/** The same page by its ranges. */
const inRanges: Statement = (page, parameters) => {
  const ranges = page
    .ranges(parameters)
    .map(
      ({ condition, order }) =>
        `(SELECT id, rank FROM pages WHERE ${condition} ORDER BY ${order} LIMIT ${page.rows(parameters)})`,
    );
  return `SELECT * FROM (${ranges.join(' UNION ALL ')}) pages ${page.order(parameters)}`;
};

interface Columns {
  direction: 'asc' | 'desc';
  hasSeparateNulls?: boolean;
}

async function read(
  columns: Columns,
  query: { cursor?: string | undefined; limit: number },
  statement: Statement = whole,
) {
  const page = new KeysetPage(
    { column: 'rank', idColumn: 'id', cast: 'integer', ...columns },
    'scope',
    query,
  );
  const parameters = new Parameters();
  const { rows } = await client.query<Row>(statement(page, parameters), parameters.values);
  return page.cut(rows, ({ id, rank }) => ({ value: rank, id }));
}

describe('KeysetPage (decision 5)', () => {
  const cases = (['asc', 'desc'] as const).flatMap((direction) =>
    [1, 3, 7, 40].map((size) => [direction, size] as const),
  );

  describe.each<[string, Statement, { hasSeparateNulls?: boolean }]>([
    ['as a condition', whole, {}],
    ['in ranges', inRanges, {}],
    ['in ranges of values and of nulls', inRanges, { hasSeparateNulls: true }],
  ])('%s', (_, statement, index) => {
    it.each(cases)(
      '%s in pages of %i returns each row once, in order, and ends',
      async (direction, limit) => {
        const nulls = direction === 'asc' ? 'NULLS FIRST' : 'NULLS LAST';
        const expected = await client.query<Row>(
          `SELECT id FROM pages ORDER BY rank ${direction} ${nulls}, id ${direction}`,
        );
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const { items, nextCursor } = await read({ direction, ...index }, { cursor, limit }, statement);
          seen.push(...items.map(({ id }) => id));
          cursor = nextCursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(expected.rows.map(({ id }) => id));
      },
    );
  });

  it('has no OR in its ranges', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const columns = { column: 'rank', idColumn: 'id', direction, cast: 'integer' };
      for (const limit of [3, 35]) {
        const { nextCursor: cursor } = await read({ direction }, { limit });
        const ranges = new KeysetPage(columns, 'scope', { cursor, limit }).ranges(new Parameters());
        expect(ranges.map(({ condition }) => condition)).not.toContainEqual(expect.stringContaining(' OR '));
      }
    }
  });

  it('returns no cursor after the last page, also when it is full', async () => {
    expect(await read({ direction: 'asc' }, { limit: 40 })).not.toHaveProperty('nextCursor');
    expect(await read({ direction: 'asc' }, { limit: 39 })).toHaveProperty('nextCursor');
  });
});

describe('KeysetPage of texts too long for a cursor', () => {
  interface Text {
    id: string;
    title: string | null;
  }
  const prefix = '漢'.repeat(1_500);

  beforeEach(async () => {
    await client.query('CREATE TEMPORARY TABLE texts (id text PRIMARY KEY, title text)');
    // Ties, nulls, and both sides of the common prefix.
    await client.query(
      `INSERT INTO texts SELECT 't' || lpad(n::text, 2, '0'),
         CASE n % 6 WHEN 0 THEN NULL WHEN 1 THEN 'a' WHEN 2 THEN '龜' ELSE $1 || (n % 4) END
       FROM generate_series(1, 24) n`,
      [prefix],
    );
  });
  afterEach(() => client.query('DROP TABLE texts'));

  async function readTexts(direction: 'asc' | 'desc', query: { cursor?: string | undefined; limit: number }) {
    const columns = { column: 't.title', idColumn: 't.id', direction, cast: 'text', from: 'texts t' };
    const page = new KeysetPage(columns, 'scope', query);
    const parameters = new Parameters();
    const { rows } = await client.query<Text>(
      `SELECT id, title FROM texts t WHERE ${page.condition(parameters)} ${page.order(parameters)}`,
      parameters.values,
    );
    return page.cut(rows, ({ title, id }) => ({ value: title, id }));
  }
  /** Reads all pages. @returns the ids in the order of the pages */
  async function walk(direction: 'asc' | 'desc', query: { cursor?: string | undefined; limit: number }) {
    const seen: string[] = [];
    let { cursor } = query;
    do {
      const { items, nextCursor } = await readTexts(direction, { ...query, cursor });
      seen.push(...items.map(({ id }) => id));
      cursor = nextCursor;
    } while (cursor !== undefined && seen.length < 1_000);
    return seen;
  }
  const directions = ['asc', 'desc'] as const;
  const wholeList = async (direction: 'asc' | 'desc') =>
    (await readTexts(direction, { limit: 100 })).items.map(({ id }) => id);
  /** A page that ends among the long texts, and its successor. */
  async function firstPage(direction: 'asc' | 'desc') {
    const { items, nextCursor } = await readTexts(direction, { limit: 10 });
    const last = items.at(-1);
    expect(last?.title).toContain(prefix);
    return { last: String(last?.id), cursor: nextCursor, rest: (await wholeList(direction)).slice(10) };
  }

  it.each(directions.flatMap((direction) => [1, 5, 23].map((limit) => [direction, limit] as const)))(
    '%s in pages of %i returns each row once, in order, and ends',
    async (direction, limit) => {
      expect(await walk(direction, { limit })).toEqual(await wholeList(direction));
    },
  );

  it.each(directions.flatMap((direction) => [1, 5, 23].map((limit) => [direction, limit] as const)))(
    '%s in pages of %i leaves no row out when the last row of a page is deleted',
    async (direction, limit) => {
      const { last, cursor, rest } = await firstPage(direction);
      await client.query('DELETE FROM texts WHERE id = $1', [last]);
      const seen = await walk(direction, { cursor, limit });
      expect(seen.slice(-rest.length)).toEqual(rest);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  it.each(directions)(
    '%s continues at the same position when the row has another text',
    async (direction) => {
      const { last, cursor, rest } = await firstPage(direction);
      await client.query('UPDATE texts SET title = $2 WHERE id = $1', [
        last,
        direction === 'asc' ? '龜' : 'a',
      ]);
      const seen = await walk(direction, { cursor, limit: 5 });
      expect(seen).toEqual(expect.arrayContaining(rest));
    },
  );
});
