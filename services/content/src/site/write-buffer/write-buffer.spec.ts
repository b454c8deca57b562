import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { TransactionalDatabase } from '@quire/database';
import { eventually } from '@quire/testing';
import { WriteBuffer } from './write-buffer.js';

const db = {} as TransactionalDatabase;
const of = (id: string, database: string | null = null) =>
  ({ principal: { tenant: { id, database } }, db }) as Context;

function openBuffer({ maxPerTenant = 100, maxTotal = 100 } = {}) {
  const written: Record<string, Record<string, number>> = {};
  const failures = new Map<string, Error>();
  const buffer = new WriteBuffer<number>({
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
  return { buffer, written, failures };
}

describe('WriteBuffer', () => {
  it('merges values by key and writes them once, tenant by tenant', async () => {
    const { buffer, written } = openBuffer();
    for (const key of ['a', 'b', 'a']) buffer.add(of('one'), key, 1);
    buffer.add(of('two'), 'a', 5);
    await buffer.flush();
    expect(written).toEqual({ one: { a: 2, b: 1 }, two: { a: 5 } });
    buffer.add(of('one'), 'c', 1);
    await buffer.flush();
    expect(written).toEqual({ one: { c: 1 }, two: { a: 5 } });
  });

  it('keeps values that cannot be written, merged with new ones, and writes those of other tenants', async () => {
    const { buffer, written, failures } = openBuffer();
    failures.set('one', new Error('database unavailable'));
    buffer.add(of('one'), 'a', 1);
    buffer.add(of('two'), 'a', 1);
    await expect(buffer.flush()).rejects.toThrow('database unavailable');
    expect(written).toEqual({ two: { a: 1 } });
    buffer.add(of('one'), 'a', 2);
    failures.clear();
    await buffer.flush();
    expect(written).toEqual({ one: { a: 3 }, two: { a: 1 } });
  });

  it('writes the values of a database while another one does not respond', async () => {
    const written: string[] = [];
    let answer: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => (answer = resolve));
    const buffer = new WriteBuffer<number>({
      merge: (one, other) => one + other,
      write: async ({ tenantId }) => {
        if (tenantId === 'silent') await silence;
        written.push(tenantId);
      },
      maxPerTenant: 10,
      maxTotal: 10,
    });
    buffer.add(of('silent', 'EU1'), 'a', 1);
    for (const id of ['one', 'two']) buffer.add(of(id), 'a', 1);
    const flush = buffer.flush();
    await eventually(() => Promise.resolve(written.length === 2));
    expect(written).toEqual(['one', 'two']);
    answer();
    await flush;
    expect(written).toEqual(['one', 'two', 'silent']);
  });

  it('discards values if the tables of the tenant are deleted', async () => {
    const { buffer, written, failures } = openBuffer();
    failures.set('one', Object.assign(new Error('no such table'), { code: '42P01' }));
    buffer.add(of('one'), 'a', 1);
    await buffer.flush();
    failures.clear();
    await buffer.flush();
    expect(written).toEqual({});
  });

  it('drops new keys beyond its limits, and still merges known ones', async () => {
    const { buffer, written } = openBuffer({ maxPerTenant: 2, maxTotal: 3 });
    for (const key of ['a', 'b', 'c', 'a']) buffer.add(of('one'), key, 1);
    for (const key of ['a', 'b']) buffer.add(of('two'), key, 1);
    await buffer.flush();
    expect(written).toEqual({ one: { a: 2, b: 1 }, two: { a: 1 } });
    for (const key of ['c', 'd']) buffer.add(of('one'), key, 1);
    await buffer.flush();
    expect(written['one']).toEqual({ c: 1, d: 1 });
  });

  it('discards the values of one tenant, which frees their space', async () => {
    const { buffer, written } = openBuffer({ maxPerTenant: 2, maxTotal: 2 });
    for (const key of ['a', 'b']) buffer.add(of('one'), key, 1);
    buffer.discard(of('one'));
    buffer.discard(of('three'));
    for (const key of ['a', 'b']) buffer.add(of('two'), key, 1);
    await buffer.flush();
    expect(written).toEqual({ two: { a: 1, b: 1 } });
  });

  it('discards values also while they are written', async () => {
    const { buffer, written, failures } = openBuffer();
    failures.set('one', new Error('database unavailable'));
    for (const id of ['one', 'two']) buffer.add(of(id), 'a', 1);
    const flush = buffer.flush();
    buffer.discard(of('one'));
    buffer.discard(of('two'));
    await expect(flush).rejects.toThrow('database unavailable');
    failures.clear();
    await buffer.flush();
    expect(written).toEqual({});
  });
});
