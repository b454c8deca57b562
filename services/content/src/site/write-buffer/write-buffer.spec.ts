import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { TransactionalDatabase } from '@quire/database';
import { WriteBuffer } from './write-buffer.js';

const db = {} as TransactionalDatabase;
const of = (id: string) => ({ principal: { tenant: { id, database: null } }, db }) as Context;

function batches({ maxPerTenant = 100, maxTotal = 100 } = {}) {
  const written: Record<string, Record<string, number>> = {};
  const failures = new Map<string, Error>();
  const made = new WriteBuffer<number>({
    merge: (one, other) => one + other,
    write: ({ tenantId }, values) => {
      const failure = failures.get(tenantId);
      if (failure) return Promise.reject(failure);
      written[tenantId] = Object.fromEntries(values);
      return Promise.resolve();
    },
    maxPerTenant,
    maxTotal,
  });
  return { made, written, failures };
}

describe('facts that are written later', () => {
  it('are put together by key and written tenant by tenant, once', async () => {
    const { made, written } = batches();
    for (const key of ['a', 'b', 'a']) made.add(of('one'), key, 1);
    made.add(of('two'), 'a', 5);
    await made.flush();
    expect(written).toEqual({ one: { a: 2, b: 1 }, two: { a: 5 } });
    made.add(of('one'), 'c', 1);
    await made.flush();
    expect(written).toEqual({ one: { c: 1 }, two: { a: 5 } });
  });

  it('wait when they cannot be written, with those that come meanwhile; other tenants are not held up', async () => {
    const { made, written, failures } = batches();
    failures.set('one', new Error('the database is away'));
    made.add(of('one'), 'a', 1);
    made.add(of('two'), 'a', 1);
    await expect(made.flush()).rejects.toThrow('the database is away');
    expect(written).toEqual({ two: { a: 1 } });
    made.add(of('one'), 'a', 2);
    failures.clear();
    await made.flush();
    expect(written).toEqual({ one: { a: 3 }, two: { a: 1 } });
  });

  it('are forgotten when the tables of the tenant are gone', async () => {
    const { made, written, failures } = batches();
    failures.set('one', Object.assign(new Error('no such table'), { code: '42P01' }));
    made.add(of('one'), 'a', 1);
    await made.flush();
    failures.clear();
    await made.flush();
    expect(written).toEqual({});
  });

  it('never take more memory than they may: keys beyond are dropped, known ones still count', async () => {
    const { made, written } = batches({ maxPerTenant: 2, maxTotal: 3 });
    for (const key of ['a', 'b', 'c', 'a']) made.add(of('one'), key, 1);
    for (const key of ['a', 'b']) made.add(of('two'), key, 1);
    await made.flush();
    expect(written).toEqual({ one: { a: 2, b: 1 }, two: { a: 1 } });
    for (const key of ['c', 'd']) made.add(of('one'), key, 1);
    await made.flush();
    expect(written['one']).toEqual({ c: 1, d: 1 });
  });

  it('can be forgotten by tenant, which makes room', async () => {
    const { made, written } = batches({ maxPerTenant: 2, maxTotal: 2 });
    for (const key of ['a', 'b']) made.add(of('one'), key, 1);
    made.discard(of('one'));
    made.discard(of('nobody'));
    for (const key of ['a', 'b']) made.add(of('two'), key, 1);
    await made.flush();
    expect(written).toEqual({ two: { a: 1, b: 1 } });
  });
});
