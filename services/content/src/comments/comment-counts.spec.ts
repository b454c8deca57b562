import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cursorScope, KeysetPage, type Queryable } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { contentTables } from '../migrations/index.js';
import {
  adminCommentOrder,
  publicCommentOrder,
  selectComments,
  selectCountsByStatus,
  selectVisibleComments,
  selectVisibleThreads,
} from './comments.repository.js';

let content: ServiceTenant;
beforeAll(async () => {
  content = await openServiceTenant('spec-of-comment-counts', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());

const sql = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  content.ctx.db.query<Row>(text, values);

/** Inserts comments given as "id", "id>root", with the entry and the status, in one statement. */
function insert(entry: string, status: string, ...comments: string[]) {
  const rows = comments.map((comment) => {
    const [id, parent] = comment.split('>');
    return { id, parent };
  });
  return sql(
    `INSERT INTO comments (id, collection, content_id, parent_id, author_name, author_email, body, status)
     SELECT id, 'posts', $1, parent, 'Ann', 'ann@x.example', 'Hi', $2
     FROM json_to_recordset($3) AS r(id text, parent text)`,
    [entry, status, JSON.stringify(rows)],
  );
}
const setStatus = (status: string, ...ids: string[]) =>
  sql('UPDATE comments SET status = $1 WHERE id = ANY($2)', [status, ids]);

describe('the counts of comments', () => {
  const stored = () => sql('SELECT content_id, visible FROM comment_counts WHERE visible <> 0 ORDER BY 1');
  const counted = () =>
    sql(`SELECT c.content_id, count(*) AS visible FROM comments c
      LEFT JOIN comments r ON r.id = c.parent_id AND r.content_id = c.content_id
      WHERE c.status = 'approved' AND (c.parent_id IS NULL OR r.status = 'approved') GROUP BY 1 ORDER BY 1`);
  const countedByStatus = async () => {
    const rows = await sql<{ status: string; count: number }>(
      'SELECT status, count(*) AS count FROM comments GROUP BY 1',
    );
    const none = { pending: 0, approved: 0, spam: 0, trash: 0 };
    return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
  };

  beforeEach(async () => {
    await sql('DELETE FROM comments');
    await insert('e1', 'approved', 'r1', 'a>r1', 'b>r1', 'r2', 'c>r2');
    await insert('e1', 'pending', 'r3', 'd>r3', 'e>r1');
    await insert('e1', 'approved', 'f>r3');
    await insert('e2', 'approved', 's1', 'g>s1');
  });

  const cases: [string, ...(() => Promise<unknown>)[]][] = [
    ['new comments, also roots after their replies', () => insert('e3', 'approved', 'x>y', 'y', 'z')],
    [
      'a root that loses its approval, and gets it back',
      () => setStatus('trash', 'r1'),
      () => setStatus('approved', 'r1'),
    ],
    ['a root that is approved after its reply', () => setStatus('approved', 'r3')],
    ['replies of any root', () => setStatus('spam', 'a', 'f'), () => setStatus('approved', 'd', 'e')],
    [
      'roots and replies in one statement',
      () => setStatus('trash', 'r1', 'a', 'e', 's1', 'r3', 'f'),
      () => setStatus('approved', 'r1', 'b', 'r3', 'd', 's1', 'g'),
    ],
    [
      'statements that move some to another status, and others from it',
      () =>
        sql(`UPDATE comments SET status = CASE status WHEN 'approved' THEN 'pending' ELSE 'approved' END
          WHERE id IN ('r1', 'a', 'e', 'r3', 'f')`),
    ],
    [
      'deleted roots, whose replies are deleted with them',
      () => sql(`DELETE FROM comments WHERE id IN ('r1', 'r3')`),
    ],
    ['deleted replies', () => sql(`DELETE FROM comments WHERE id IN ('a', 'd', 'f')`)],
    ['deleted entries', () => sql(`DELETE FROM comments WHERE content_id = 'e1'`)],
    [
      'replies that get their root later, as in imports',
      () => insert('e4', 'approved', 'm', 'n', 'o'),
      () => sql(`UPDATE comments SET parent_id = 'm' WHERE id IN ('n', 'o')`),
      () => setStatus('spam', 'm'),
    ],
    [
      'comments that move to another entry',
      () => sql(`UPDATE comments SET content_id = 'e2' WHERE id IN ('r1', 'a', 'b', 'e')`),
      () => sql(`UPDATE comments SET content_id = 'e1' WHERE id IN ('g')`),
      () => setStatus('trash', 's1'),
    ],
    ['statements that change nothing', () => sql(`UPDATE comments SET body = 'Changed'`)],
    ['an emptied table, as in imports', () => sql('TRUNCATE comments'), () => insert('e1', 'approved', 'r1')],
  ];
  it.each(cases)('are right after %s', async (_, ...steps) => {
    for (const step of steps) {
      await step();
      expect(await stored()).toEqual(await counted());
      expect(await selectCountsByStatus(content.ctx.db)).toEqual(await countedByStatus());
    }
  });

  it('have no row for an entry without comments', async () => {
    await sql('DELETE FROM comments');
    expect(await sql('SELECT 1 FROM comment_counts')).toEqual([]);
  });

  it('are made from the comments of a former version', async () => {
    const migration = contentTables.tenant.find(({ name }) => name === '0065-comment-counts');
    const rolledBack = new Error('rolled back');
    const migrated = content.ctx.db.transaction(async (tx) => {
      for (const event of ['insert', 'update', 'delete', 'truncate'])
        await tx.query(`DROP FUNCTION count_comments_on_${event} CASCADE`);
      await tx.query('DROP TABLE comment_counts, comment_status_counts');
      for (const name of ['approved', 'approved_roots', 'approved_replies', 'collection'])
        await tx.query(`DROP INDEX comments_${name}`);
      await tx.query('CREATE INDEX comments_author_email ON comments (author_email, status)');
      await migration?.up(tx);
      await migration?.seed?.(tx);
      expect(await tx.query('SELECT content_id, visible FROM comment_counts ORDER BY 1')).toEqual([
        { content_id: 'e1', visible: 5 },
        { content_id: 'e2', visible: 2 },
      ]);
      expect(await selectCountsByStatus(tx)).toEqual({ pending: 3, approved: 8, spam: 0, trash: 0 });
      throw rolledBack;
    });
    await expect(migrated).rejects.toBe(rolledBack);
  });
});

describe('the lists of comments', () => {
  beforeAll(async () => {
    await sql('DELETE FROM comments');
    await sql(`INSERT INTO comments (id, collection, content_id, parent_id, author_name, author_email, body, status, created_at)
      SELECT lpad(n::text, 5, '0'), CASE WHEN n % 10 = 0 THEN 'notes' ELSE 'posts' END, 'e' || n % 3, NULL,
        'Ann', 'ann@x.example', 'Hi', CASE WHEN n % 2 = 0 THEN 'approved' ELSE 'spam' END,
        timestamptz '2025-01-01Z' + make_interval(secs => n) FROM generate_series(1, 6000) n`);
    await sql(`UPDATE comments SET parent_id = lpad((id::integer - 600)::text, 5, '0')
      WHERE id::integer % 1200 > 600`);
    // Without statistics, PostgreSQL expects hundreds of deleted entries, and other plans are cheaper.
    await sql('ANALYZE comments, deleted_entries');
  });

  /** The most rows that a scan of the statement reads, those that it discards included. */
  async function rowsRead(run: (db: Queryable) => Promise<unknown>): Promise<number> {
    interface Plan extends Record<string, unknown> {
      Plans?: Plan[];
    }
    const plans: Plan[] = [];
    const collect = (plan: Plan) => {
      if ('Relation Name' in plan) plans.push(plan);
      plan.Plans?.forEach(collect);
    };
    const explained: Queryable = {
      query: async (statement: unknown, values: readonly unknown[] = []) => {
        const [row] = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${String(statement)}`,
          values,
        );
        row?.['QUERY PLAN'].forEach(({ Plan }) => collect(Plan));
        return [];
      },
    };
    await run(explained);
    const count = (plan: Plan, name: string) => Number(plan[name] ?? 0) * Number(plan['Actual Loops']);
    const read = plans.map((plan) => count(plan, 'Actual Rows') + count(plan, 'Rows Removed by Filter'));
    return Math.max(...read);
  }
  const target = { collection: 'posts', contentId: 'e1' };
  const page = (
    order: typeof publicCommentOrder | typeof adminCommentOrder,
    position?: { value: string; id: string },
  ) => {
    const scope = cursorScope({ operation: 'spec', tenant: 'spec', target });
    const { nextCursor } = new KeysetPage(order, scope, { limit: 1 }).cut(
      [1, 2],
      () => position ?? { value: '', id: '' },
    );
    return new KeysetPage(order, scope, { limit: 20, ...(position && { cursor: nextCursor }) });
  };

  it('read about as many rows as they return, however far a page is', async () => {
    const deep = { value: '2025-01-01T01:20:00.000Z', id: '04800' };
    for (const position of [undefined, deep]) {
      const read = await rowsRead((db) =>
        selectVisibleComments(db, target, page(publicCommentOrder, position)),
      );
      expect(read).toBeLessThan(100);
    }
  });

  it('read the first threads with their replies only', async () => {
    expect(await rowsRead((db) => selectVisibleThreads(db, target, 50))).toBeLessThan(120);
  });

  it('read the comments of one collection from an index', async () => {
    const filters = { status: 'approved', collection: 'notes', search: undefined } as const;
    expect(await rowsRead((db) => selectComments(db, filters, page(adminCommentOrder)))).toBeLessThan(30);
    const none = { ...filters, collection: 'nothing' };
    expect(await rowsRead((db) => selectComments(db, none, page(adminCommentOrder)))).toBe(0);
  });
});
