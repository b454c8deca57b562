import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { KeysetPage } from './keyset-page.js';
import { Parameters } from './parameters.js';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: testStores().databaseUrl });
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE pages (id text PRIMARY KEY, rank integer)');
  // Every value thrice and every fourth row without one: ties and nulls are where keysets go wrong.
  await client.query(
    "INSERT INTO pages SELECT 'r' || lpad(n::text, 2, '0'), CASE WHEN n % 4 = 0 THEN NULL ELSE n % 5 END FROM generate_series(1, 40) n",
  );
});
afterAll(() => client.end());

interface Row {
  id: string;
  rank: number | null;
}

async function read(direction: 'asc' | 'desc', query: { cursor?: string | undefined; limit: number }) {
  const page = new KeysetPage({ column: 'rank', idColumn: 'id', direction, cast: 'integer' }, 'scope', query);
  const parameters = new Parameters();
  const { rows } = await client.query<Row>(
    `SELECT id, rank FROM pages WHERE ${page.condition(parameters)} ${page.order(parameters)}`,
    parameters.values,
  );
  return page.cut(rows, ({ id, rank }) => ({ value: rank, id }));
}

describe('walking a list page by page (decision 5)', () => {
  const cases = (['asc', 'desc'] as const).flatMap((direction) =>
    [1, 3, 7, 40].map((size) => [direction, size] as const),
  );

  it.each(cases)('%s in pages of %i gives each row once, in order, and ends', async (direction, limit) => {
    const nulls = direction === 'asc' ? 'NULLS FIRST' : 'NULLS LAST';
    const whole = await client.query<Row>(
      `SELECT id FROM pages ORDER BY rank ${direction} ${nulls}, id ${direction}`,
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await read(direction, { cursor, limit });
      seen.push(...items.map(({ id }) => id));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(whole.rows.map(({ id }) => id));
  });

  it('has no cursor after the last page, also when it is full', async () => {
    expect(await read('asc', { limit: 40 })).not.toHaveProperty('nextCursor');
    expect(await read('asc', { limit: 39 })).toHaveProperty('nextCursor');
  });
});
