import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queryable, TransactionalDatabase } from '@quire/database';
import type { ServiceDatabases } from '@quire/tenancy';
import { claimMessages, type MessageGroup } from './claim-messages.js';
import { openOutbox } from './outbox.fixture.js';

let databases: ServiceDatabases;
let sql: TransactionalDatabase;

beforeAll(async () => {
  ({ databases } = await openOutbox('claims'));
  sql = databases.shared();
});
beforeEach(async () => {
  await sql.query('TRUNCATE outbox');
});
afterAll(() => databases.close());

/** Writes messages with the ids `<tenant> <job> <number>`, the numbers without gaps from 1. */
async function write(tenant: string | null, job: string, count: number): Promise<void> {
  await sql.query(
    `INSERT INTO outbox (id, job, tenant_id, message)
     SELECT coalesce($1, '?') || ' ' || $2 || ' ' || lpad(n::text, 7, '0'), $2, $1, '{}' FROM generate_series(1, $3) n`,
    [tenant, job, count],
  );
}

const claim = (
  from: Queryable,
  options: {
    jobs?: string[];
    limit?: number;
    after?: MessageGroup | undefined;
    paused?: MessageGroup[];
  } = {},
) => claimMessages(from, { jobs: ['x', 'y'], limit: 6, ...options });

const short = (id: string) => id.replace(/ 0+/, ' ');
const idsOf = ({ messages }: { messages: { id: string }[] }) => messages.map(({ id }) => short(id));

describe('claimMessages (G6)', () => {
  it('takes an equal share of each site and job, the oldest first, in turn', async () => {
    await write('a', 'x', 1_000);
    await write('b', 'x', 1);
    await write('b', 'y', 5);
    const claimed = await claim(sql);
    expect(idsOf(claimed)).toEqual(['a x 1', 'b x 1', 'b y 1', 'a x 2', 'b y 2']);
    expect(claimed).toMatchObject({ hasMore: true, next: undefined });
  });

  it('has no more when no group has its share', async () => {
    await write('a', 'x', 3);
    expect(await claim(sql, { limit: 10 })).toMatchObject({ hasMore: false, next: undefined });
  });

  it('leaves the messages of other jobs, which take no share', async () => {
    await write('a', 'x', 10);
    await write('a', 'future', 1_000);
    await write('b', 'future', 1_000);
    expect(idsOf(await claim(sql))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `a x ${n}`));
    expect(idsOf(await claim(sql, { jobs: ['y'] }))).toEqual([]);
  });

  it('leaves the messages of paused groups, which take no share', async () => {
    await write('a', 'x', 10);
    await write('a', 'y', 2);
    await write('b', 'x', 10);
    const paused = [
      { tenant: 'a', job: 'x' },
      { tenant: 'c', job: 'x' },
    ];
    const claimed = await claim(sql, { paused });
    expect(idsOf(claimed)).toEqual(['a y 1', 'b x 1', 'a y 2', 'b x 2', 'b x 3']);
    expect(idsOf(await claim(sql, { limit: 4, paused: [...paused, { tenant: 'b', job: 'x' }] }))).toEqual([
      'a y 1',
      'a y 2',
    ]);
  });

  it('leaves messages that another transaction has claimed, and failed ones', async () => {
    await write('a', 'x', 4);
    await sql.query("UPDATE outbox SET failed_at = now() WHERE id LIKE '%2'");
    await sql.transaction(async (tx) => {
      expect(idsOf(await claim(tx, { limit: 2 }))).toEqual(['a x 1', 'a x 3']);
      expect(idsOf(await claim(sql))).toEqual(['a x 4']);
    });
  });

  it('takes messages without a site, and those of an earlier version, as one site', async () => {
    await write(null, 'x', 2);
    expect(idsOf(await claim(sql))).toEqual(['? x 1', '? x 2']);
  });

  it('continues after the last of 200 groups, so that each of any number has its turn', async () => {
    for (let tenant = 100; tenant < 350; tenant += 1) await write(`t${tenant}`, 'x', 2);
    const first = await claim(sql, { limit: 500 });
    expect(first.messages).toHaveLength(400);
    expect(first.next).toEqual({ tenant: 't299', job: 'x' });
    const second = await claim(sql, { limit: 500, after: first.next });
    expect(second.messages).toHaveLength(100);
    expect(short(second.messages[0]?.id ?? '')).toBe('t300 x 1');
    expect(second.next).toBeUndefined();
  });

  it.each([
    ['', []],
    [' with those of a paused site', [{ tenant: 'a', job: 'x' }]],
  ])('reads a few pages of 200,000 messages%s (growth)', async (_, paused) => {
    await write('a', 'x', 150_000);
    await write('a', 'future', 49_990);
    await write('b', 'x', 10);
    await sql.query('ANALYZE outbox');
    const plans: string[] = [];
    const explaining = {
      query: async (statement: { text: string; values: unknown[] }) => {
        const [row] = await sql.query<{ 'QUERY PLAN': [{ Plan: object }] }>({
          text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
          values: statement.values,
        });
        plans.push(JSON.stringify(row?.['QUERY PLAN'][0].Plan));
        return [];
      },
    } as unknown as Queryable;
    await claim(explaining, { limit: 100, paused });
    const [plan = ''] = plans;
    const buffers =
      Number(/"Shared Hit Blocks":(\d+)/.exec(plan)?.[1]) +
      Number(/"Shared Read Blocks":(\d+)/.exec(plan)?.[1]);
    expect(plan).not.toContain('Seq Scan"');
    expect(buffers).toBeLessThan(400);
  });
});
