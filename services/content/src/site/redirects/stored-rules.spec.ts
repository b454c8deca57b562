import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requestedPath } from '@quire/content-model';
import { insertRows, type Queryable } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { findLoopingRules, findLoopsOfPage, isInLoop } from './loops.js';
import { Redirect } from './redirect.entity.js';
import {
  selectMatchingRules,
  selectRules,
  selectRulesOfPaths,
  updateAutoDestinations,
} from './redirects.repository.js';
import { bestMatch } from './rule-tree.js';
import { planRule, type Rule } from './rules.js';

type Planned = [source: string, destination: string, type?: number];

let content: ServiceTenant;
let db: Queryable;
beforeAll(async () => {
  content = await openServiceTenant('spec-of-stored-rules', 'content', contentTables, contentEntities);
  db = content.ctx.db;
});
afterAll(() => content.close());
beforeEach(() => db.query('DELETE FROM redirects'));

async function store(...rules: Planned[]): Promise<Rule[]> {
  const planned = rules.map(([source, destination, type = 301]) => ({
    id: source,
    ...planRule({ source, destination, type }),
  }));
  await insertRows(
    db,
    Redirect,
    planned.map((rule) => ({ ...rule, enabled: true })),
  );
  return planned;
}

/** Stores 2,000 rules of single paths and 1,000 patterns below one prefix. */
async function storeMany(prefix: string): Promise<void> {
  await db.query(
    `INSERT INTO redirects (id, source, source_key, destination, type, enabled)
     SELECT 'many' || n, key, key, '/end', 301, true
     FROM generate_series(1, 2000) n, concat($1::text, 'page-', n) AS key`,
    [prefix],
  );
  await db.query(
    `INSERT INTO redirects (id, source, source_key, prefix, destination, type, enabled)
     SELECT 'pattern' || n, $1 || '[a]/page-' || n, $1 || '[]/page-' || n, $1, '/end', 301, true
     FROM generate_series(1, 1000) n`,
    [prefix],
  );
  await db.query('ANALYZE redirects');
}

/** A database that counts the rows that its statements return. */
function counting(): Queryable & { rows: number } {
  const counter = {
    rows: 0,
    query: async <Row>(...parameters: Parameters<Queryable['query']>) => {
      const found = await db.query<Row & object>(...parameters);
      counter.rows += found.length;
      return found;
    },
  };
  return counter as Queryable & { rows: number };
}

/** How the database executes a statement. */
async function planOf(run: (sql: Queryable) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const explaining: Queryable = {
    query: async (...[statement, values]: Parameters<Queryable['query']>) => {
      const prepared = typeof statement === 'string' ? { text: statement, values } : statement;
      const plan = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${prepared.text}`, prepared.values);
      lines.push(...plan.map((line) => line['QUERY PLAN']));
      return [];
    },
  };
  await run(explaining);
  return lines.join('\n');
}

describe('the look-up of a path', () => {
  const sources = [
    '/a',
    '/a?x=1',
    '/a/',
    '/a/[x]',
    '/a/[x]/',
    '/a/b/[...rest]',
    '/[x]',
    '/[x]/[y]',
    '/[x]/b',
    '/[x]/b/[y]',
    '/[x]/b/c',
    '/[x]/b/[...rest]',
    '/[x]/[y]/c',
    '/[x]/2/',
    '/2/[x]',
    '/[...rest]',
    '/[x]/e/f/[y]/g',
  ];
  const paths = [
    ...[
      '/',
      '/a',
      '/a?x=1',
      '/a?x=2',
      '/a/',
      '/a/b',
      '/a/b/',
      '/a/b/c',
      '/a/b/c/d',
      '/z',
      '/z/',
      '/z/b',
      '/z/y',
    ],
    ...['/z/b/c', '/z/b/y', '/z/b/y/x', '/z/y/c', '/z/y/c/x', '/2/', '/2/2', '/2/2/', '/z/2/', '/z/e/f/y/g'],
    ...['/z/e/f/y/h', '/caf%C3%A9/b', `/z${'/b'.repeat(40)}`],
  ];

  it('finds the rule that is the best of all', async () => {
    await store(...sources.map((source): Planned => [source, '/end']));
    const all = await selectRules(db);
    const [found, together, wanted]: (string | undefined)[][] = [[], [], []];
    const ofAllPaths = await selectRulesOfPaths(db, paths.map(requestedPath));
    for (const path of paths) {
      const requested = requestedPath(path);
      found?.push(bestMatch(await selectMatchingRules(db, requested), requested)?.rule.id);
      together?.push(bestMatch(ofAllPaths, requested)?.rule.id);
      wanted?.push(bestMatch(all, requested)?.rule.id);
    }
    expect([found, together]).toEqual([wanted, wanted]);
    expect(new Set(wanted).size).toBe(sources.length + 1);
  });

  it('reads few of many patterns with one prefix, and none beside the rule of a single path', async () => {
    await storeMany('/');
    await store(['/[x]/[y]', '/end'], ['/[...rest]', '/end'], ['/x/page-7', '/end']);
    const idsOf = async (path: string) =>
      (await selectMatchingRules(db, requestedPath(path))).map(({ id }) => id);
    expect((await idsOf('/z/page-500')).sort()).toEqual(['/[...rest]', '/[x]/[y]', 'pattern500']);
    expect(await idsOf('/x/page-7')).toEqual(['/x/page-7']);
  });

  it('reads patterns from an index of their prefix and last text', async () => {
    await storeMany('/');
    const plan = await planOf((sql) => selectMatchingRules(sql, requestedPath('/z/page-500')));
    expect(plan).toMatch(/redirects_pattern .*\n.*Index Cond: .*prefix.* AND .*CASE/);
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('the automatic rules to an address', () => {
  it('are read from an index', async () => {
    await storeMany('/');
    const change = { from: '/posts/old', to: '/posts/new' };
    expect(await planOf((sql) => updateAutoDestinations(sql, change))).toContain(
      'redirects_auto_destination',
    );
  });
});

describe('loops among stored rules', () => {
  const cases: [string, ...Planned[]][] = [
    ['of single paths', ['/a', '/b'], ['/b', '/c?x=1#y'], ['/c', '/a'], ['/d', '/e']],
    ['of patterns', ['/a/[x]', '/b/[x]'], ['/b/[y]', '/a/[y]'], ['/c/[x]', '/d']],
    ['of a pattern that matches its destination', ['/[...rest]', '/closed']],
    ['of a path and a pattern', ['/a/[x]', '/b/[x]'], ['/b/first', '/a/first'], ['/b/second', '/c']],
    ['of paths that keep growing', ['/a/[...rest]', '/a/b/[...rest]']],
    ['of overlapping patterns', ['/a/p/[y]', '/b/p/[y]'], ['/b/[x]/q', '/a/[x]/q'], ['/b/p/r', '/out']],
    [
      'that another rule leads out of',
      ['/a/p/[y]', '/b/p/[y]'],
      ['/b/[x]/q', '/a/[x]/q'],
      ['/b/p/q', '/out'],
    ],
    ['that a rule of type 410 ends', ['/a/p/[y]', '/b/p/[y]'], ['/b/[x]/q', '/a/[x]/q'], ['/a/p/q', '', 410]],
    ['of a rest and two names', ['/a/p/[...rest]', '/b/p/[...rest]'], ['/b/[x]/[y]/q', '/a/[x]/[y]/q']],
    ['of a text around a value', ['/a/p/[y]', '/b/p/old-[y]'], ['/b/[x]/old-q', '/a/[x]/q']],
    ['of a value in a query', ['/a/[x]', '/b?x=[x]'], ['/b?x=1', '/a/1'], ['/c/[x]', '/d?x=[x]']],
    ['of a value in a query of another rule', ['/a/[x]', '/b?x=[x]'], ['/b', '/a/1']],
    ['of a value that completes an escape', ['/a/[x]', '/b/%c[x]'], ['/b/%C3', '/a/3']],
    ['through all paths', ['/old/[...rest]', '/[...rest]'], ['/x/[y]', '/old/x/[y]'], ['/z', '/old/z']],
    ['of many rules', ...Array.from({ length: 30 }, (_, n): Planned => [`/s/${n}`, `/s/${(n + 1) % 30}`])],
  ];

  it.each(cases)('are found as if all rules were read: %s', async (_, ...planned) => {
    const rules = await store(...planned);
    const wanted = await findLoopingRules(rules);
    for (const rule of rules)
      expect([rule.id, await isInLoop(db, rule)]).toEqual([rule.id, wanted.has(rule.id)]);
    expect([...(await findLoopsOfPage(db, rules))].sort()).toEqual([...wanted].sort());
  });

  it('are named on the pages of the rules that lead into them', async () => {
    const [, , bystander] = await store(['/a', '/b'], ['/b', '/a'], ['/in', '/a']);
    expect(await findLoopsOfPage(db, bystander ? [bystander] : [])).toEqual(new Set(['/a', '/b']));
  });

  it('are looked for among the rules that a pattern leads to', async () => {
    await storeMany('/many/');
    const [pattern] = await store(
      ['/a/[x]', '/b/[x]'],
      ['/b/first', '/c'],
      ['/b/[x]', '/d/[x]'],
      ['/d/[y]', '/e'],
    );
    const counter = counting();
    expect(pattern && (await isInLoop(counter, pattern))).toBe(false);
    expect(counter.rows).toBeLessThan(20);
  });

  it('are found among more rules than are looked up one by one', async () => {
    const [pattern] = await store(['/old/[...rest]', '/[...rest]'], ['/zz', '/old/zz']);
    await db.query(
      `INSERT INTO redirects (id, source, source_key, destination, type, enabled)
       SELECT 'many' || n, '/page-' || n, '/page-' || n, '/end', 301, true FROM generate_series(1, 5001) n`,
    );
    expect(pattern && (await isInLoop(db, pattern))).toBe(true);
  });

  it('are looked for by a page without the rules of single paths that its patterns lead to', async () => {
    await storeMany('/many/');
    await db.query('DELETE FROM redirects WHERE prefix IS NOT NULL');
    const rules = await store(['/old/[...rest]', '/[...rest]'], ['/in', '/many/page-1']);
    const counter = counting();
    expect(await findLoopsOfPage(counter, rules)).toEqual(new Set());
    expect(counter.rows).toBeLessThan(20);
  });
});
