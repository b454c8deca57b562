import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, type Queryable } from '@quire/database';
import { testStores } from '@quire/testing';
import { defineWorkTable } from './work-table.js';

const schema = 'spec_work_table';
let database: Database;
let sql: Queryable;

interface TaskKey {
  tenantId: string;
  name: string;
}
const options = {
  name: `${schema}.tasks`,
  key: { tenantId: 'tenant_id', name: 'name' },
  payload: { size: 'size', requestedAt: 'requested_at' },
  leaseSeconds: 30,
  backoff: (attempts: number) => attempts * 100,
} as const;
const tasks = defineWorkTable<TaskKey, { size: number | null; requestedAt: string }>({
  ...options,
  version: 'requestedAt',
  onConflict: 'UPDATE SET requested_at = clock_timestamp(), attempts = 0, due_at = excluded.due_at',
});
const plainTasks = defineWorkTable<TaskKey, { size: number | null }>({
  ...options,
  payload: { size: 'size' },
  version: 'attempts',
  order: 'size DESC, due_at',
});

beforeAll(async () => {
  database = await Database.connect({
    url: testStores().databaseUrl,
    poolSize: 4,
    applicationName: 'work-table.spec',
  });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  // The search path of another schema: statements use the qualified name.
  sql = catalog;
  await sql.query(`CREATE TABLE ${schema}.tasks (tenant_id text, name text, size integer,
    requested_at timestamptz(3) NOT NULL DEFAULT now(), due_at timestamptz(3) NOT NULL,
    attempts integer NOT NULL DEFAULT 0, CONSTRAINT tasks_pkey PRIMARY KEY (tenant_id, name))`);
});
beforeEach(() => sql.query(`DELETE FROM ${schema}.tasks`));
afterAll(async () => {
  await sql.query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

const key = (name: string): TaskKey => ({ tenantId: 't', name });
const rowOf = async (name: string) => {
  const [row] = await sql.query<{ attempts: number; inSeconds: number }>(
    `SELECT attempts, round(extract(epoch FROM due_at - now()))::integer AS "inSeconds" FROM ${schema}.tasks WHERE name = $1`,
    [name],
  );
  return row;
};
const claimOne = async () => {
  const [claimed] = await tasks.claim(sql, 1);
  if (!claimed) throw new Error('Nothing is due');
  return claimed;
};

describe('claimOfOtherTenants (G6)', () => {
  const enqueue = (tenantId: string, names: string[], afterSeconds = 0) =>
    tasks.enqueue(
      sql,
      names.map((name) => ({ tenantId, name })),
      { afterSeconds },
    );
  const namesOf = (claimed: { tenantId: string; name: string; attempts: number }[]) =>
    claimed.map(({ tenantId, name, attempts }) => `${tenantId} ${name} ${attempts}`).sort();

  it('claims the longest due row of each other site', async () => {
    await enqueue('a', ['1', '2', '3']);
    await enqueue('b', ['later'], 0);
    await sql.query(`UPDATE ${schema}.tasks SET due_at = now() - interval '1 second'`);
    await enqueue('b', ['soon']);
    await sql.query(`UPDATE ${schema}.tasks SET due_at = now() - interval '1 minute' WHERE name = 'soon'`);
    await enqueue('c', ['future'], 60);
    await enqueue('d', ['1', '2']);
    const claimed = await tasks.claimOfOtherTenants(sql, 10, ['a']);
    expect(namesOf(claimed)).toEqual(['b soon 1', expect.stringMatching(/^d [12] 1$/)]);
    expect(await rowOf('soon')).toEqual({ attempts: 1, inSeconds: 30 });
  });

  it('claims no more than the limit, nor rows that another worker claims', async () => {
    for (const tenant of ['a', 'b', 'c', 'd']) await enqueue(tenant, ['1']);
    await database.inSchema('pg_catalog').transaction(async (tx) => {
      expect(namesOf(await tasks.claimOfOtherTenants(tx, 1, ['a']))).toEqual(['b 1 1']);
      expect(namesOf(await tasks.claimOfOtherTenants(sql, 10, ['a']))).toEqual(['c 1 1', 'd 1 1']);
    });
    expect(await tasks.claimOfOtherTenants(sql, 10, [])).toHaveLength(1);
  });
});

describe('enqueue', () => {
  it('stores rows that are due after the delay', async () => {
    await tasks.enqueue(sql, [{ ...key('a'), size: 3 }, key('b')], { afterSeconds: 60 });
    expect([await rowOf('a'), await rowOf('b')]).toEqual([
      { attempts: 0, inSeconds: 60 },
      { attempts: 0, inSeconds: 60 },
    ]);
    expect(await tasks.claim(sql, 10)).toEqual([]);
  });

  it('keeps the earlier time of pending work and resets its attempts', async () => {
    await plainTasks.enqueue(sql, [key('a')], { afterSeconds: 10 });
    await sql.query(`UPDATE ${schema}.tasks SET attempts = 5`);
    await plainTasks.enqueue(sql, [key('a')], { afterSeconds: 60 });
    expect(await rowOf('a')).toEqual({ attempts: 0, inSeconds: 10 });
  });
});

describe('claim', () => {
  it('returns key, payload and attempts, and moves the due time to the end of the lease', async () => {
    await tasks.enqueue(sql, [{ ...key('a'), size: 3 }]);
    const requestedAt = expect.stringMatching(/Z$/);
    expect(await tasks.claim(sql, 10)).toEqual([{ ...key('a'), size: 3, requestedAt, attempts: 1 }]);
    expect(await rowOf('a')).toEqual({ attempts: 1, inSeconds: 30 });
    expect(await tasks.claim(sql, 10)).toEqual([]);
  });

  it('returns at most the limit, in the declared order', async () => {
    const sizes = [1, 3, 2].map((size) => ({ ...key(`${size}`), size }));
    await plainTasks.enqueue(sql, sizes);
    expect((await plainTasks.claim(sql, 1)).map(({ name }) => name)).toEqual(['3']);
    expect((await plainTasks.claim(sql, 1)).map(({ name }) => name)).toEqual(['2']);
  });

  it('returns each row to one of several workers', async () => {
    await tasks.enqueue(
      sql,
      Array.from({ length: 100 }, (_, index) => key(`${index}`)),
    );
    const claims = await Promise.all([1, 2, 3, 4].map(() => tasks.claim(sql, 100)));
    const names = claims.flat().map(({ name }) => name);
    expect([names.length, new Set(names).size]).toEqual([100, 100]);
  });

  it('returns work again after its lease has ended', async () => {
    await tasks.enqueue(sql, [key('a')]);
    await claimOne();
    await sql.query(`UPDATE ${schema}.tasks SET due_at = now()`);
    expect(await tasks.claim(sql, 1)).toMatchObject([{ name: 'a', attempts: 2 }]);
  });

  it('by key returns a row that is not due, and undefined when there is none', async () => {
    await tasks.enqueue(sql, [key('a')], { afterSeconds: 60 });
    expect(await tasks.claimByKey(sql, key('a'))).toMatchObject({ name: 'a', attempts: 1 });
    expect(await tasks.claimByKey(sql, key('b'))).toBeUndefined();
  });
});

describe('complete and reschedule', () => {
  it('delete work, or make it due by the back-off of its attempts', async () => {
    await tasks.enqueue(sql, [key('a')]);
    const claimed = await claimOne();
    expect(await tasks.reschedule(sql, { ...claimed, attempts: 3 })).toBe(true);
    expect(await rowOf('a')).toEqual({ attempts: 3, inSeconds: 300 });
    expect(await tasks.reschedule(sql, claimed, { attempts: 0, afterSeconds: 7 })).toBe(true);
    expect(await rowOf('a')).toEqual({ attempts: 0, inSeconds: 7 });
    expect(await tasks.complete(sql, claimed)).toBe(true);
    expect(await tasks.complete(sql, claimed)).toBe(false);
  });

  it('keep work that was requested again since its claim', async () => {
    await tasks.enqueue(sql, [key('a')]);
    const claimed = await claimOne();
    await sql.query(`UPDATE ${schema}.tasks SET requested_at = requested_at - interval '1 second'`);
    await tasks.enqueue(sql, [key('a')]);
    const stale = { ...claimed, requestedAt: '2020-01-01T00:00:00.000Z' };
    expect([await tasks.complete(sql, stale), await tasks.reschedule(sql, stale)]).toEqual([false, false]);
    expect(await rowOf('a')).toEqual({ attempts: 0, inSeconds: 0 });
  });

  it('keep work whose attempts were reset, where these are the version', async () => {
    await plainTasks.enqueue(sql, [key('a')]);
    const [claimed] = await plainTasks.claim(sql, 1);
    await plainTasks.enqueue(sql, [key('a')]);
    expect(claimed && (await plainTasks.complete(sql, claimed))).toBe(false);
  });
});

describe('claims of a part', () => {
  it('take the due work with the given values of the key', async () => {
    await tasks.enqueue(sql, [key('a'), { tenantId: 'other', name: 'a' }]);
    await tasks.enqueue(sql, [{ tenantId: 'other', name: 'later' }], { afterSeconds: 60 });
    const claimed = await tasks.claimWith(sql, { tenantId: 'other' }, 10);
    expect(claimed).toMatchObject([{ tenantId: 'other', name: 'a', attempts: 1 }]);
    expect(await tasks.claim(sql, 10)).toMatchObject([{ tenantId: 't', name: 'a' }]);
  });

  it('of a lane take only its work, also that of other sites', async () => {
    const lane = tasks.lane({ name: 'a' });
    await tasks.enqueue(sql, [
      key('a'),
      key('b'),
      { tenantId: 'other', name: 'a' },
      { tenantId: 'u', name: 'b' },
    ]);
    expect(await lane.claimOfOtherTenants(sql, 10, ['t'])).toMatchObject([{ tenantId: 'other', name: 'a' }]);
    const claimed = await lane.claim(sql, 10);
    expect(claimed).toMatchObject([{ tenantId: 't', name: 'a' }]);
    expect(await tasks.claim(sql, 10)).toHaveLength(2);
    for (const work of claimed) await lane.reschedule(sql, work, { afterSeconds: 0 });
    expect(await lane.claim(sql, 10)).toHaveLength(1);
  });

  it('take work that has been due for some time, the longest due first', async () => {
    await tasks.enqueue(sql, [key('new')]);
    for (const [name, seconds] of [
      ['old', -20],
      ['older', -30],
    ] as const)
      await tasks.enqueue(sql, [key(name)], { afterSeconds: seconds });
    const claims = [await tasks.claimOverdue(sql, 10, 1), await tasks.claimOverdue(sql, 10, 1)];
    expect(claims).toMatchObject([[{ name: 'older' }], [{ name: 'old' }]]);
    expect(await tasks.claimOverdue(sql, 10, 1)).toEqual([]);
  });
});

describe('cancel', () => {
  it('deletes work, claimed or not', async () => {
    await tasks.enqueue(sql, [key('a')]);
    await claimOne();
    expect([await tasks.cancel(sql, key('a')), await tasks.cancel(sql, key('a'))]).toEqual([true, false]);
  });

  it('of unclaimed work keeps claimed work', async () => {
    await tasks.enqueue(sql, [key('a')]);
    await claimOne();
    await tasks.enqueue(sql, [key('b')]);
    await tasks.enqueue(sql, [key('c')]);
    expect(await tasks.cancelUnclaimed(sql, [key('a')])).toBe(0);
    expect(await tasks.cancelUnclaimed(sql, [key('a'), key('b'), key('c')])).toBe(2);
  });
});
