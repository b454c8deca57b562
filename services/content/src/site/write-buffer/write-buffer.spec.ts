import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { TransactionalDatabase } from '@quire/database';
import { eventuallyPasses } from '@quire/testing';
import { DatabaseLimits } from './task-limit.js';
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
    limits: new DatabaseLimits(2),
  });
  return { buffer, written, failures };
}

/** A buffer that writes the values of some tenants only after `answer`. */
function openWithSilence(silent: string[]) {
  const [written, begun]: string[][] = [[], []];
  const failures = new Set<string>();
  let answer: () => void = () => undefined;
  const silence = new Promise<void>((resolve) => (answer = resolve));
  const buffer = new WriteBuffer<number>({
    merge: (one, other) => one + other,
    write: async ({ tenantId }) => {
      begun?.push(tenantId);
      if (silent.includes(tenantId)) await silence;
      if (failures.has(tenantId)) throw new Error(`${tenantId} fails`);
      written?.push(tenantId);
    },
    maxPerTenant: 10,
    maxTotal: 10,
    limits: new DatabaseLimits(2),
  });
  return { buffer, written: written ?? [], begun: begun ?? [], failures, answer: () => answer() };
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
    const { buffer, written, answer } = openWithSilence(['silent', 'mute', 'still']);
    for (const id of ['silent', 'mute', 'still']) buffer.add(of(id, 'EU1'), 'a', 1);
    for (const id of ['one', 'two', 'three']) buffer.add(of(id), 'a', 1);
    const flush = buffer.flush();
    await eventuallyPasses(
      () => Promise.resolve(written),
      (ids) => expect(ids).toEqual(['one', 'two', 'three']),
    );
    answer();
    await flush;
    expect(written.slice(3).sort()).toEqual(['mute', 'silent', 'still']);
  });

  it('writes the values of tenants while another one of their database does not respond', async () => {
    const { buffer, written, answer } = openWithSilence(['silent']);
    for (const id of ['silent', 'one', 'two']) buffer.add(of(id), 'a', 1);
    await buffer.flush({ maxWaitMs: 20 });
    expect(written).toEqual(['one', 'two']);
    for (const id of ['silent', 'one']) buffer.add(of(id), 'b', 1);
    await buffer.flush({ maxWaitMs: 20 });
    expect(written).toEqual(['one', 'two', 'one']);
    const flush = buffer.flush();
    answer();
    await flush;
    expect(written.slice(3)).toEqual(['silent', 'silent']);
  });

  it('throws the failure of a slow tenant at the next flush, and keeps its values', async () => {
    const { buffer, written, answer, failures } = openWithSilence(['silent']);
    failures.add('silent');
    buffer.add(of('silent'), 'a', 1);
    await buffer.flush({ maxWaitMs: 20 });
    answer();
    await expect(buffer.flush()).rejects.toThrow('silent fails');
    failures.clear();
    await buffer.flush();
    expect(written).toEqual(['silent']);
  });

  it('runs no more writes at once in a database than its limit', async () => {
    const { buffer, written, answer, begun } = openWithSilence(['one', 'two', 'three']);
    for (const id of ['one', 'two', 'three']) buffer.add(of(id), 'a', 1);
    const flush = buffer.flush();
    await buffer.flush({ maxWaitMs: 20 });
    expect(begun).toEqual(['one', 'two']);
    answer();
    await flush;
    expect(written.sort()).toEqual(['one', 'three', 'two']);
  });

  it('writes values to the new database of a tenant that has moved since', async () => {
    const [former, present] = [{ name: 'former' }, { name: 'present' }] as unknown as TransactionalDatabase[];
    const databases: unknown[] = [];
    const buffer = new WriteBuffer<number>({
      merge: (one, other) => one + other,
      write: ({ db: target }) => {
        databases.push(target);
        return target === former ? Promise.reject(new Error('moved')) : Promise.resolve();
      },
      maxPerTenant: 10,
      maxTotal: 10,
      limits: new DatabaseLimits(2),
    });
    buffer.add({ ...of('one'), db: former } as Context, 'a', 1);
    await expect(buffer.flush()).rejects.toThrow('moved');
    buffer.add({ ...of('one', 'EU2'), db: present } as Context, 'b', 1);
    await buffer.flush();
    expect(databases).toEqual([former, present]);
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
    for (const id of ['one', 'two', 'three']) buffer.add(of(id), 'a', 1);
    const flush = buffer.flush();
    buffer.discard(of('one'));
    buffer.discard(of('three'));
    await expect(flush).rejects.toThrow('database unavailable');
    failures.clear();
    await buffer.flush();
    expect(written).toEqual({ two: { a: 1 } });
  });
});
