import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { afterPosition, keysetOrder, type KeysetPosition } from './cursor.js';
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

describe('walking a list by keyset (decision 5)', () => {
  const cases = (['asc', 'desc'] as const).flatMap((direction) =>
    [1, 3, 7, 40].map((size) => [direction, size] as const),
  );

  it.each(cases)('%s in pages of %i gives each row once, in order', async (direction, size) => {
    const order = `ORDER BY ${keysetOrder('rank', 'id', direction)}`;
    const whole = await client.query<{ id: string }>(`SELECT id FROM pages ${order}`);
    const seen: string[] = [];
    let position: KeysetPosition | undefined;
    for (;;) {
      const parameters = new Parameters();
      const columns = { column: 'rank', idColumn: 'id', direction, cast: 'integer' };
      const after = position
        ? `WHERE ${afterPosition(columns, position, (value, cast) => parameters.add(value, cast))}`
        : '';
      const page = await client.query<{ id: string; rank: number | null }>(
        `SELECT id, rank FROM pages ${after} ${order} LIMIT ${size}`,
        parameters.values,
      );
      const last = page.rows.at(-1);
      if (!last) break;
      seen.push(...page.rows.map(({ id }) => id));
      position = { value: last.rank, id: last.id };
    }
    expect(seen).toEqual(whole.rows.map(({ id }) => id));
  });
});
