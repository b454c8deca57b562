import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, tableOf, type Queryable, type TransactionalDatabase } from '@quire/database';
import type { RecordKind } from '@quire/site-package';
import { testStores } from '@quire/testing';
import type { RecordSource } from './record-source.js';
import { StagedRecords } from './staged-records.js';

const schema = 'spec_staged_records';
const copies = new StagedRecords('one');
const ofOtherService = new StagedRecords('two');
let database: Database;
let sql: TransactionalDatabase;

beforeAll(async () => {
  const url = testStores().databaseUrl;
  database = await Database.connect({ url, poolSize: 3, applicationName: 'staged-records.spec' });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
  await copies.migration.up(sql);
  await ofOtherService.migration.up(sql);
  await sql.query('CREATE TABLE things (id text PRIMARY KEY, content json, owner text)');
});

afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

beforeEach(async () => {
  await sql.query(`DELETE FROM ${tableOf(copies.entity)}`);
  await sql.query('DELETE FROM things');
});

const insertThings = (...ids: string[]) =>
  sql.query('INSERT INTO things (id) SELECT * FROM unnest($1::text[])', [ids]);

const things = (kind: RecordKind = 'widget_areas'): RecordSource => ({
  kind,
  select: 'SELECT t.id, t.content, t.owner AS "userId" FROM things t',
});

const stage = (operationId: string, ...sources: RecordSource[]) =>
  copies.stage(sql, operationId, () => Promise.resolve(sources));

const page = { kind: 'widget_areas', after: 0, maxRecords: 100, maxBytes: 1_000_000 } as const;
const linesOf = async (operationId: string, kind: RecordKind = 'widget_areas', from: Queryable = sql) =>
  (await copies.read(from, operationId, { ...page, kind })).lines;
const idsOf = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { id: string }).id);

describe('stage', () => {
  it('copies records in the byte order of their keys, and counts them by kind', async () => {
    const ids = ['é', 'b', 'Z', 'a-b', 'a/b', 'a', '_', '😀', '\uffee', '10', '9'];
    await insertThings(...ids);
    expect(await stage('op', things(), { kind: 'menus', select: `${things().select} WHERE false` })).toEqual({
      widget_areas: ids.length,
    });
    const inByteOrder = [...ids].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect(idsOf(await linesOf('op'))).toEqual(inByteOrder);
  });

  it('joins the properties of a key with slashes', async () => {
    const row = (entryGroup: string, termGroup: string) =>
      `SELECT '${entryGroup}' AS "entryGroup", '${termGroup}' AS "termGroup"`;
    const select = [row('a-', 'x'), row('a', 'y'), row('a', 'x')].join(' UNION ALL ');
    await stage('op', { kind: 'entry_terms', select });
    const keys = (await linesOf('op', 'entry_terms')).map((line) =>
      Object.values(JSON.parse(line) as object),
    );
    // "-" precedes "/".
    expect(keys).toEqual([
      ['a-', 'x'],
      ['a', 'x'],
      ['a', 'y'],
    ]);
  });

  it('writes json as it is stored, on one line', async () => {
    const content = '{ "z": 1.0,\r\n\t"a": 12345678901234567890, "text": "a\\nb\\u2028" }';
    await sql.query('INSERT INTO things (id, content) VALUES ($1, $2)', ['x', content]);
    await stage('op', things());
    const [line = ''] = await linesOf('op');
    expect(line).toContain(content.replace('\r\n', '  '));
    expect(line).not.toMatch(/[\r\n]/);
  });

  it('replaces the copies of the same operation, and no others', async () => {
    await insertThings('a');
    await stage('first', things());
    await stage('second', things(), things('menus'));
    await insertThings('b');
    await stage('second', things());
    expect(idsOf(await linesOf('first'))).toEqual(['a']);
    expect(idsOf(await linesOf('second'))).toEqual(['a', 'b']);
    expect(await linesOf('second', 'menus')).toEqual([]);
  });

  it('does not see what others write after its beginning', async () => {
    await insertThings('a');
    await copies.stage(sql, 'op', async (tx) => {
      expect(await tx.query('SELECT id FROM things')).toHaveLength(1);
      await insertThings('later');
      return [things()];
    });
    expect(idsOf(await linesOf('op'))).toEqual(['a']);
  });

  it('is rejected when another call makes the same copies meanwhile', async () => {
    await insertThings('a');
    const staged = copies.stage(sql, 'op', async () => {
      await stage('op', things());
      return [things()];
    });
    await expect(staged).rejects.toMatchObject({ code: 'TRANSFER_EXPORT_CONCURRENT_WRITES' });
    expect(idsOf(await linesOf('op'))).toEqual(['a']);
  });

  it('makes records of the users whom records name, each once', async () => {
    const values = `('a', 'u2'), ('b', 'u1'), ('c', 'u2'), ('d', NULL)`;
    await sql.query(`INSERT INTO things (id, owner) VALUES ${values}`);
    expect(await stage('op', things('bylines'), things())).toEqual({ bylines: 4, widget_areas: 4 });
    expect(idsOf(await linesOf('op', 'principals'))).toEqual(['u1', 'u2']);
  });

  it('copies nothing when a source fails', async () => {
    await insertThings('a');
    await expect(stage('op', things(), { kind: 'menus', select: 'SELECT 1 / 0 AS id' })).rejects.toThrow(
      'division by zero',
    );
    expect(await linesOf('op')).toEqual([]);
  });

  it('has more time for a statement than others have', async () => {
    let timeout: string | undefined;
    await copies.stage(sql, 'op', async (tx) => {
      const [row] = await tx.query<{ statement_timeout: string }>('SHOW statement_timeout');
      timeout = row?.statement_timeout;
      return [];
    });
    expect(timeout).toBe('1h');
    expect(await sql.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
  });
});

describe('read', () => {
  const ids = Array.from({ length: 25 }, (_, index) => String(index).padStart(3, '0'));
  beforeEach(async () => {
    await insertThings(...ids);
    await stage('op', things());
  });

  async function pagesOf(limits: { maxRecords: number; maxBytes: number }): Promise<string[][]> {
    const pages: string[][] = [];
    for (let after = 0; ;) {
      const { lines, last } = await copies.read(sql, 'op', { ...page, ...limits, after });
      if (lines.length === 0) return pages;
      pages.push(lines);
      after = last;
    }
  }

  it.each([1, 7, 25, 26])('returns all records once in pages of %i', async (maxRecords) => {
    const pages = await pagesOf({ maxRecords, maxBytes: 1_000_000 });
    expect(idsOf(pages.flat())).toEqual(ids);
    expect(pages.slice(0, -1).every((lines) => lines.length === maxRecords)).toBe(true);
  });

  it('ends a page with the record that reaches the size', async () => {
    const [{ length: bytes } = ''] = await linesOf('op');
    const lengthsOf = async (maxBytes: number) =>
      (await pagesOf({ maxRecords: 100, maxBytes })).map(({ length }) => length);
    expect(await lengthsOf(1)).toEqual(ids.map(() => 1));
    expect(await lengthsOf(bytes)).toEqual(ids.map(() => 1));
    expect(await lengthsOf(bytes * 10)).toEqual([10, 10, 5]);
    expect(await lengthsOf(bytes * 10 + 1)).toEqual([11, 11, 3]);
  });

  it('counts bytes, not characters', async () => {
    await sql.query('DELETE FROM things');
    await insertThings('é'.repeat(1000), 'ê'.repeat(1000));
    await stage('op', things());
    expect(await pagesOf({ maxRecords: 100, maxBytes: 2000 })).toHaveLength(2);
  });

  it('returns the given position after the last record, and for an unknown operation', async () => {
    expect(await copies.read(sql, 'op', { ...page, after: 25 })).toEqual({ lines: [], last: 25 });
    expect(await copies.read(sql, 'unknown', page)).toEqual({ lines: [], last: 0 });
  });
});

describe('discard', () => {
  it('deletes the copies of one operation of one service', async () => {
    await insertThings('a');
    await stage('first', things());
    await stage('second', things());
    await ofOtherService.stage(sql, 'first', () => Promise.resolve([things()]));
    await copies.discard(sql, 'first');
    await copies.discard(sql, 'first');
    expect(await linesOf('first')).toEqual([]);
    expect(await linesOf('second')).toHaveLength(1);
    expect((await ofOtherService.read(sql, 'first', page)).lines).toHaveLength(1);
  });
});
