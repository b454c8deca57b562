import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { testStores } from '@quire/testing';
import { newTrace, useTracer, type SpanOptions } from '@quire/tracing';
import { Parameters } from '../statements/parameters.js';
import { Database } from './database.js';
import { summaryOf } from './statement-spans.js';
import { currentTrace, setsTrace } from './trace-setting.js';

describe('summaryOf', () => {
  it.each([
    ['SELECT * FROM notes WHERE text = $1', 'SELECT', 'notes'],
    ['\n  SELECT n.* FROM "ec_posts" n JOIN x ON true FOR UPDATE OF n', 'SELECT', 'ec_posts'],
    ["SELECT (SELECT x FROM bylines), ') FROM secret' FROM content_posts e", 'SELECT', 'content_posts'],
    ['SELECT id FROM (SELECT 1) x', 'SELECT', undefined],
    ['SELECT 1', 'SELECT', undefined],
    [
      'INSERT INTO "svc_content".outbox (id) VALUES ($1) ON CONFLICT DO UPDATE SET id = 1',
      'INSERT',
      'svc_content.outbox',
    ],
    ['UPDATE notes SET text = $1', 'UPDATE', 'notes'],
    ['DELETE FROM notes', 'DELETE', 'notes'],
    ['WITH locked AS (SELECT id FROM a FOR UPDATE SKIP LOCKED) DELETE FROM "b" USING locked', 'DELETE', 'b'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'SELECT', undefined],
    ["CREATE TRIGGER t AFTER UPDATE ON notes EXECUTE FUNCTION f('secret')", 'CREATE', undefined],
    ['BEGIN', 'BEGIN', undefined],
    ['', 'STATEMENT', undefined],
  ])('of %j is %s %s', (text, operation, table) => {
    expect(summaryOf(text)).toEqual({ operation, table });
  });
});

describe('the trace of statements', () => {
  const trace = newTrace();
  let database: Database;

  beforeAll(async () => {
    database = await Database.connect({
      url: testStores().databaseUrl,
      // One connection, so that the setting of one request would reach the next.
      poolSize: 1,
      applicationName: 'statement-spans.spec',
    });
  });
  afterEach(() => useTracer(undefined));
  afterAll(() => database.close());

  const of = (given?: string) => database.inSchema('pg_catalog', { trace: given });
  const read = `SELECT ${currentTrace} AS trace`;

  it('is a setting of the transaction, and of no other statement', async () => {
    expect(await of(trace).transaction((tx) => tx.query(read))).toEqual([{ trace }]);
    expect(await of().transaction((tx) => tx.query(read))).toEqual([{ trace: null }]);
    expect(await of(trace).query(read)).toEqual([{ trace: null }]);
  });

  it('is set by a condition for a single statement', async () => {
    const set = (given?: string) => {
      const parameters = new Parameters();
      const text = `WITH kept AS MATERIALIZED (SELECT 1 WHERE ${setsTrace(given, parameters)})
        SELECT (SELECT ${currentTrace} FROM kept) AS trace FROM kept`;
      return of(given).query({ prepared: true, text, values: parameters.values });
    };
    expect([await set(trace), await set(), await set(trace)]).toEqual([
      [{ trace }],
      [{ trace: null }],
      [{ trace }],
    ]);
    expect(await of().query(read)).toEqual([{ trace: null }]);
  });

  it('stays out of a transaction that reads one snapshot', async () => {
    const level = of(trace).transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return tx.query('SHOW transaction_isolation');
    });
    expect(await level).toEqual([{ transaction_isolation: 'repeatable read' }]);
  });

  it('has a span for each statement, without its text and its values', async () => {
    const spans: [name: string, options: SpanOptions, error?: unknown][] = [];
    useTracer({
      startSpan: (name, options) => ({
        trace,
        setName: () => undefined,
        setAttributes: () => undefined,
        end: (error) => void spans.push([name, options, (error as { code?: string } | undefined)?.code]),
      }),
    });
    await of(trace).query('SELECT oid FROM pg_class WHERE relname = $1', ['secret']);
    await of(trace).transaction((tx) => tx.query("SELECT 'secret'"));
    await expect(of(trace).query('SELECT secret FROM pg_class')).rejects.toThrow();
    await of().query('SELECT 1');
    expect(spans.map(([name, { parent }, code]) => [name, parent, code])).toEqual([
      ['SELECT pg_class', trace, undefined],
      ['SELECT', trace, undefined],
      ['COMMIT', trace, undefined],
      ['SELECT pg_class', trace, '42703'],
    ]);
    expect(spans[0]?.[1].attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.namespace': 'pg_catalog',
      'db.operation.name': 'SELECT',
    });
    expect(JSON.stringify(spans)).not.toContain('secret');
  });
});
