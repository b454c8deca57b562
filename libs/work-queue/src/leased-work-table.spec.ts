import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, type Queryable } from '@quire/database';
import { testStores } from '@quire/testing';
import { defineLeasedWorkTable } from './leased-work-table.js';

const schema = 'spec_leased_work_table';
let database: Database;
let sql: Queryable;

const work = defineLeasedWorkTable<{ id: string }, { generation: number }>({
  name: `${schema}.work`,
  key: { id: 'id' },
  payload: { generation: 'generation' },
  version: 'generation',
  leaseSeconds: 30,
  maxAttempts: 3,
  backoff: (attempts) => attempts * 100,
  onClaim: 'claimed_at = now()',
});

beforeAll(async () => {
  database = await Database.connect({
    url: testStores().databaseUrl,
    poolSize: 4,
    applicationName: 'leased-work-table.spec',
  });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
  await sql.query(`CREATE TABLE work (id text PRIMARY KEY, generation integer NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'pending', attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL DEFAULT now(), lease_token text, lease_expires_at timestamptz(3),
    last_error_code text, claimed_at timestamptz(3), updated_at timestamptz(3) NOT NULL DEFAULT now())`);
});
beforeEach(async () => {
  await sql.query('DELETE FROM work');
  await sql.query("INSERT INTO work (id) VALUES ('a')");
});
afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

const row = async () => {
  const [found] = await sql.query(
    `SELECT state, attempts, round(extract(epoch FROM due_at - now()))::integer AS "inSeconds",
       lease_token IS NOT NULL AS "isLeased", last_error_code AS code FROM work WHERE id = 'a'`,
  );
  return found;
};
const lease = async () => {
  const leased = await work.claimByKey(sql, { id: 'a' });
  if (!leased) throw new Error('It cannot be leased');
  return leased;
};
/** Lets another worker take over. */
const takeOver = async () => {
  await sql.query("UPDATE work SET lease_expires_at = now() - interval '1 second'");
  return lease();
};

describe('claim', () => {
  it('leases due work with a token', async () => {
    const [leased] = await work.claim(sql, 10);
    expect(leased).toEqual({
      id: 'a',
      generation: 1,
      attempts: 1,
      token: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(await row()).toEqual({ state: 'leased', attempts: 1, inSeconds: 30, isLeased: true, code: null });
    expect(await sql.query('SELECT claimed_at IS NULL AS "isNull" FROM work')).toEqual([{ isNull: false }]);
    expect(await work.claim(sql, 10)).toEqual([]);
  });

  it('skips failed work', async () => {
    await sql.query("UPDATE work SET state = 'failed'");
    expect(await work.claim(sql, 10)).toEqual([]);
  });

  it('by key skips work that another worker has leased, until its lease ends', async () => {
    const first = await lease();
    expect(await work.claimByKey(sql, { id: 'a' })).toBeUndefined();
    expect((await takeOver()).token).not.toBe(first.token);
  });
});

describe('claimUnlessDelayed', () => {
  it('leases work that is due later, but none that waits after a failed attempt', async () => {
    await work.release(sql, await lease(), new Date(Date.now() + 3_600_000));
    const leased = await work.claimUnlessDelayed(sql, { id: 'a' });
    if (!leased) throw new Error('It cannot be leased');
    expect(await work.claimUnlessDelayed(sql, { id: 'a' })).toBeUndefined();
    await work.reschedule(sql, leased, 'FAILED');
    expect(await work.claimUnlessDelayed(sql, { id: 'a' })).toBeUndefined();
    await sql.query('UPDATE work SET due_at = now()');
    expect(await work.claimUnlessDelayed(sql, { id: 'a' })).toMatchObject({ id: 'a' });
  });
});

describe('enqueue', () => {
  it('adds work that is due now', async () => {
    await sql.query('DELETE FROM work');
    await work.enqueue(sql, { id: 'a' });
    expect(await row()).toEqual({ state: 'pending', attempts: 0, inSeconds: 0, isLeased: false, code: null });
    expect(await work.claim(sql, 10)).toHaveLength(1);
  });

  it('makes waiting and failed work due now, with all of its attempts', async () => {
    await work.reschedule(sql, await lease(), 'FIRST');
    await work.enqueue(sql, { id: 'a' });
    expect(await row()).toMatchObject({ state: 'pending', attempts: 0, inSeconds: 0 });
    await sql.query("UPDATE work SET state = 'failed', attempts = 3");
    await work.enqueue(sql, { id: 'a' });
    expect(await work.claim(sql, 10)).toEqual([expect.objectContaining({ id: 'a', attempts: 1 })]);
  });

  it('leaves leased work with its holder', async () => {
    const leased = await lease();
    await work.enqueue(sql, { id: 'a' });
    expect(await row()).toMatchObject({ state: 'leased', attempts: 1, inSeconds: 30 });
    expect(await work.complete(sql, leased)).toBe(true);
  });
});

describe('release', () => {
  it('ends the lease: the work is due now, or at a given time, with all of its attempts', async () => {
    await work.release(sql, await lease());
    expect(await row()).toMatchObject({ state: 'pending', attempts: 0, inSeconds: 0, isLeased: false });
    await work.release(sql, await lease(), new Date(Date.now() + 3_600_000));
    expect(await work.claim(sql, 10)).toEqual([]);
    expect(await row()).toMatchObject({ inSeconds: expect.closeTo(3_600, -2) });
  });

  it('changes nothing when the lease is lost', async () => {
    const first = await lease();
    await takeOver();
    await work.release(sql, first);
    expect(await row()).toMatchObject({ state: 'leased', isLeased: true });
  });
});

describe('postpone', () => {
  it('ends the lease without an attempt, and makes the work due later', async () => {
    await work.postpone(sql, await lease(), 30);
    expect(await row()).toMatchObject({ state: 'pending', attempts: 0, isLeased: false });
    expect(await row()).toMatchObject({ inSeconds: expect.closeTo(30, -1) });
  });
});

describe('complete', () => {
  it('deletes the work', async () => {
    expect(await work.complete(sql, await lease())).toBe(true);
    expect(await row()).toBeUndefined();
  });

  it('returns false for a lost lease and for another version', async () => {
    const first = await lease();
    const second = await takeOver();
    expect(await work.complete(sql, first)).toBe(false);
    await sql.query('UPDATE work SET generation = 2');
    expect(await work.complete(sql, second)).toBe(false);
  });
});

describe('extend', () => {
  it('reads the work again and extends the lease', async () => {
    const leased = await lease();
    await sql.query('UPDATE work SET generation = 2, due_at = now(), lease_expires_at = now()');
    expect(await work.extend(sql, leased)).toEqual({ ...leased, generation: 2 });
    expect(await row()).toMatchObject({ inSeconds: 30 });
  });

  it('returns undefined for a lost lease', async () => {
    const first = await lease();
    await takeOver();
    expect(await work.extend(sql, first)).toBeUndefined();
  });
});

describe('reschedule', () => {
  it('makes the work due by the back-off, and fails it after the last attempt', async () => {
    await work.reschedule(sql, await lease(), 'FIRST');
    expect(await row()).toEqual({
      state: 'retry',
      attempts: 1,
      inSeconds: 100,
      isLeased: false,
      code: 'FIRST',
    });
    await lease();
    await work.reschedule(sql, await takeOver(), 'LAST');
    expect(await row()).toEqual({
      state: 'failed',
      attempts: 3,
      inSeconds: 0,
      isLeased: false,
      code: 'LAST',
    });
  });

  it('changes nothing when the lease is lost', async () => {
    const first = await lease();
    await takeOver();
    await work.reschedule(sql, first, 'LATE');
    expect(await row()).toMatchObject({ state: 'leased', code: null });
  });
});
