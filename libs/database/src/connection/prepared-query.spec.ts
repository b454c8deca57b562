import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import pg from 'pg';
import { PreparedQuery, SessionSwitchError } from './prepared-query.js';
import { maxPreparedStatements } from './prepared-statements.js';
import { valueTypes } from './value-types.js';

const client = new pg.Client({
  connectionString: testStores().databaseUrl,
  options: '-c timezone=UTC -c search_path=pg_temp',
});
/** Messages of the server by their kind. */
const received: Record<string, number> = {};

beforeAll(async () => {
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE notes (id integer PRIMARY KEY, text text NOT NULL)');
  await client.query("INSERT INTO notes VALUES (1, 'one'), (2, 'two')");
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  for (const kind of ['rowDescription', 'parseComplete'])
    connection.on(kind, () => (received[kind] = (received[kind] ?? 0) + 1));
});
beforeEach(() => void Object.assign(received, { rowDescription: 0, parseComplete: 0 }));
afterAll(() => client.end());

const run = (
  text: string,
  values: readonly unknown[] = [],
  { schema = 'pg_temp', settings = [] as readonly string[] } = {},
): Promise<object[]> =>
  new Promise((resolve, reject) => {
    const options = { schema, settings, text, values, types: valueTypes };
    client.query(new PreparedQuery(options, (error, rows) => (error ? reject(error) : resolve(rows))));
  });

/** Texts of the prepared statements of the connection. */
async function preparedTexts(): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
  return rows.map(({ statement }) => statement).sort();
}

describe('PreparedQuery', () => {
  it('returns the same rows as a query of pg', async () => {
    const text = `SELECT $1::text AS text, $2::bigint AS number, $3::json AS json, $4::text[] AS list, $5::boolean AS yes,
      NULL::text AS nothing, now()::timestamptz(3) AS at, 1.5::numeric AS "constructor" FROM generate_series(1, 2)`;
    const values = ['ü', 12, { a: [1] }, ['b', null, 'c"d'], true];
    await client.query('BEGIN');
    const { rows } = await client.query<object>({ text, values, types: valueTypes });
    expect(rows).toHaveLength(2);
    for (let round = 0; round < 2; round += 1) expect(await run(text, values)).toEqual(rows);
    await client.query('COMMIT');
  });

  it('is parsed and described once for each connection, from its second use', async () => {
    const text = 'SELECT text FROM notes WHERE id = $1';
    expect(await run(text, [1])).toEqual([{ text: 'one' }]);
    expect(await preparedTexts()).not.toContain(text);
    Object.assign(received, { rowDescription: 0, parseComplete: 0 });
    const uses = [await run(text, [1]), await run(text, [2]), await run(text, [3])];
    expect(uses).toEqual([[{ text: 'one' }], [{ text: 'two' }], []]);
    expect(received).toEqual({ rowDescription: 1, parseComplete: 1 });
    expect(await preparedTexts()).toContain(text);
  });

  it('has a plan for each schema: PostgreSQL would plan it again after each change of the search path', async () => {
    const text = 'SELECT count(*) AS count FROM things';
    for (const schema of ['spec_plans_a', 'spec_plans_b'])
      await client.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.things ()`);
    const read = (schema: string) => run(text, [], { schema, settings: [`SET search_path TO ${schema}`] });
    await read('spec_plans_a');
    for (let use = 0; use < 8; use += 1)
      for (const schema of ['spec_plans_a', 'spec_plans_b']) await read(schema);
    const { rows } = await client.query(
      'SELECT generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements WHERE statement = $1',
      [text],
    );
    // A statement without parameters has one plan, which is counted at each use.
    expect(rows).toEqual([
      { generic: 8, custom: 0 },
      { generic: 8, custom: 0 },
    ]);
    await client.query('SET search_path TO pg_temp; DROP SCHEMA spec_plans_a, spec_plans_b CASCADE');
  });

  it('is unnamed when its text is used once', async () => {
    const before = await preparedTexts();
    for (let index = 0; index < 1_000; index += 1) await run(`SELECT ${index} AS once`);
    expect(await preparedTexts()).toEqual(before);
  });

  it('is closed on the server and forgotten by the client when others were used since', async () => {
    const text = (index: number) => `SELECT ${index} AS number`;
    const kept = 'SELECT text FROM notes WHERE id = $1 AND true';
    for (let index = 0; index < 3_000; index += 1) {
      for (let use = 0; use < 2; use += 1) expect(await run(text(index))).toEqual([{ number: index }]);
      if (index % 100 === 0) expect(await run(kept, [1])).toEqual([{ text: 'one' }]);
    }
    const texts = await preparedTexts();
    expect(texts).toHaveLength(maxPreparedStatements);
    expect(texts).toEqual(expect.arrayContaining([kept, text(2_999), text(2_800)]));
    const { connection } = client as unknown as { connection: { parsedStatements: object } };
    expect(Object.keys(connection.parsedStatements)).toHaveLength(maxPreparedStatements);
    expect(await run(text(0))).toEqual([{ number: 0 }]);
  });

  it('gives way to another one also in a transaction, and where that one fails', async () => {
    const text = (index: number) => `SELECT ${index} AS transactional`;
    for (let index = 0; index < maxPreparedStatements; index += 1)
      for (let use = 0; use < 2; use += 1) await run(text(index));
    await client.query('BEGIN');
    for (let use = 0; use < 2; use += 1)
      await expect(run('SELECT * FROM missing')).rejects.toMatchObject({
        code: use === 0 ? '42P01' : '25P02',
      });
    await client.query('ROLLBACK');
    await expect(run('SELECT * FROM missing')).rejects.toMatchObject({ code: '42P01' });
    expect(await run(text(0))).toEqual([{ transactional: 0 }]);
    expect((await preparedTexts()).length).toBeLessThanOrEqual(maxPreparedStatements);
  });

  it('returns no rows of a statement without columns', async () => {
    const text = 'UPDATE notes SET text = text WHERE id = $1';
    expect([await run(text, [1]), await run(text, [1])]).toEqual([[], []]);
  });

  it('rejects with the error of the server, and works afterwards, also without a former execution', async () => {
    const text = 'SELECT 1 / $1::integer AS quotient';
    await expect(run(text, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await run(text, [1])).toEqual([{ quotient: 1 }]);
    await expect(run(text, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await run(text, [1])).toEqual([{ quotient: 1 }]);
    // Once without a name.
    expect(received.parseComplete).toBe(2);
  });

  it('rejects when its columns have changed since it was described', async () => {
    const text = 'SELECT * FROM notes WHERE id = $1';
    for (let use = 0; use < 2; use += 1) expect(await run(text, [1])).toEqual([{ id: 1, text: 'one' }]);
    await client.query('ALTER TABLE notes ADD COLUMN extra integer');
    await expect(run(text, [1])).rejects.toMatchObject({ code: '0A000' });
    await client.query('ALTER TABLE notes DROP COLUMN extra');
  });

  it('rejects for a value that cannot be sent, and works afterwards', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(run('SELECT $1::json AS json', [circular])).rejects.toThrow('circular');
    expect(await run('SELECT $1::json AS json', [{ a: 1 }])).toEqual([{ json: { a: 1 } }]);
  });

  it('rejects for a value that cannot be read', async () => {
    const types = {
      getTypeParser: () => () => {
        throw new Error('unreadable');
      },
    } as unknown as pg.CustomTypesConfig;
    const reading = new Promise((resolve, reject) => {
      const options = { schema: 'pg_temp', text: 'SELECT 1 AS number', values: [], types };
      client.query(new PreparedQuery(options, (error) => (error ? reject(error) : resolve(undefined))));
    });
    await expect(reading).rejects.toThrow('unreadable');
    expect(await run('SELECT 2 AS number')).toEqual([{ number: 2 }]);
  });

  describe('with settings', () => {
    const shown = async () => (await client.query('SHOW work_mem')).rows;
    const settings = ["SET work_mem TO '5MB'", "SET maintenance_work_mem TO '2MB'"];

    it('runs after them, in one message', async () => {
      const text = "SELECT current_setting('work_mem') AS memory";
      for (let use = 0; use < 3; use += 1) {
        await client.query('RESET work_mem');
        expect(await run(text, [], { settings })).toEqual([{ memory: '5MB' }]);
      }
      expect(await shown()).toEqual([{ work_mem: '5MB' }]);
      expect(await run(text)).toEqual([{ memory: '5MB' }]);
    });

    it.each([
      ['an unknown role', 'SET ROLE spec_no_such_role', '22023'],
      ['a role that it may not switch to', 'SET ROLE spec_prepared_other', '42501'],
    ])('does not run when the server rejects one of them: %s', async (_, rejected, code) => {
      await client.query('CREATE ROLE spec_prepared_login; CREATE ROLE spec_prepared_other');
      await client.query('RESET ALL; SET SESSION AUTHORIZATION spec_prepared_login');
      const before = await shown();
      const text = `SELECT set_config('maintenance_work_mem', '3MB', false) AS done /* ${code} */`;
      // Without a name, with a new one, and with one that the server has not seen.
      for (let use = 0; use < 3; use += 1) {
        const failure = await run(text, [], { settings: ["SET work_mem TO '6MB'", rejected] }).catch(
          (error: unknown) => error,
        );
        expect(failure).toBeInstanceOf(SessionSwitchError);
        expect(failure).toMatchObject({ cause: { code } });
        expect(await shown()).toEqual(before);
        expect((await client.query('SHOW maintenance_work_mem')).rows).not.toEqual([
          { maintenance_work_mem: '3MB' },
        ]);
      }
      await client.query('RESET SESSION AUTHORIZATION');
      expect(await run(text)).toEqual([{ done: '3MB' }]);
      await client.query('DROP ROLE spec_prepared_login, spec_prepared_other');
    });

    it('undoes them when the statement fails, which then works', async () => {
      await client.query('RESET work_mem');
      const before = await shown();
      const text = 'SELECT 2 / $1::integer AS quotient';
      for (let use = 0; use < 3; use += 1) {
        await expect(run(text, [0], { settings })).rejects.toMatchObject({ code: '22012' });
        expect(await shown()).toEqual(before);
      }
      expect(await run(text, [1], { settings })).toEqual([{ quotient: 2 }]);
    });
  });
});
