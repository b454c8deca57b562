import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemActor, type Context, type Principal } from '@quire/context';
import type { Queryable } from '@quire/database';
import { JsonText } from '@quire/values';
import { eventually, openServiceTenant, type ServiceTenant } from '@quire/testing';
import type { FastifyReply } from 'fastify';
import { expiredKeysSweep } from './expired-keys.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { idempotencyKeysMigration } from './idempotency-keys.tables.js';
import type { KeyedRequest } from './keyed-request.js';

const service = 'spec-of-keys';
const tables = { tenant: [], shared: [idempotencyKeysMigration('0001-idempotency-keys')] };
const keys = new IdempotencyKeys(service);
let opened: ServiceTenant;
let another: ServiceTenant;
let count = 0;
let key: string;

beforeAll(async () => {
  opened = await openServiceTenant('spec-of-idempotency-keys', service, tables, []);
  another = await openServiceTenant('spec-of-other-keys', service, tables, []);
});
afterAll(async () => {
  await another.close();
  await opened.close();
});
beforeEach(() => {
  count += 1;
  key = `key-${count}`;
});

interface Caller {
  userId?: string | null;
  clientAddress?: string | null;
  isOfAnother?: boolean;
}

/** A context of a user of the tenant, or of another one in the same database. */
function contextOf({ userId = 'U', clientAddress = null, isOfAnother = false }: Caller = {}): Context {
  const { tenant, ctx } = isOfAnother ? another : opened;
  const principal: Principal = { ...systemActor(tenant, 'system:tests'), kind: 'session', userId };
  return { ...ctx, principal, clientAddress };
}

/** Sends a request; each execution returns another number. */
let worked = 0;
async function send(
  caller: Caller = {},
  {
    input = 'body',
    operation = 'create',
    fails = false,
  }: { input?: unknown; operation?: string; fails?: boolean } = {},
) {
  const seen: { status?: number; replayed?: string } = {};
  const reply = {
    status: (status: number) => ((seen.status = status), reply),
    header: (_name: string, value: string) => ((seen.replayed = value), reply),
  } as unknown as FastifyReply;
  const request: KeyedRequest = { key, operation, reply };
  const ctx = contextOf(caller);
  const response = await keys.executeOnce(ctx, request, input, (save) =>
    ctx.db.transaction(async (tx) => {
      worked += 1;
      const data = { number: worked };
      await save?.(tx, 201, data);
      if (fails) throw new Error('it failed');
      return data;
    }),
  );
  return { result: response instanceof JsonText ? response.parse() : response, ...seen };
}

describe('IdempotencyKeys.executeOnce', () => {
  it('returns the first response with its status, and does not execute the request again', async () => {
    const { result } = await send();
    const before = worked;
    expect(await send()).toEqual({ result, status: 201, replayed: 'true' });
    expect(worked).toBe(before);
  });

  it('executes each request without a key, and passes no `save`', async () => {
    const responses = [1, 2].map((number) =>
      keys.executeOnce(contextOf(), undefined, 'body', (save) => Promise.resolve([number, save])),
    );
    expect(await Promise.all(responses)).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
  });

  it.each([
    ['another body', { input: 'other' }],
    ['another operation', { operation: 'copy' }],
  ])('throws IDEMPOTENCY_CONFLICT for %s', async (_name, other) => {
    await send();
    await expect(send({}, other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', status: 409 });
  });

  it.each<[string, Caller, Caller]>([
    ['another user', { userId: 'U' }, { userId: 'V' }],
    ['another tenant', {}, { isOfAnother: true }],
    ['no user', { userId: 'U' }, { userId: null }],
    [
      'another address',
      { userId: null, clientAddress: '192.0.2.1' },
      { userId: null, clientAddress: '192.0.2.2' },
    ],
    ['no address', { userId: null, clientAddress: '192.0.2.1' }, { userId: null }],
  ])('separates the same key of %s', async (_name, one, other) => {
    const first = await send(one);
    const second = await send(other, { input: 'other' });
    expect(second.result).not.toEqual(first.result);
    expect((await send(one)).result).toEqual(first.result);
    expect((await send(other, { input: 'other' })).result).toEqual(second.result);
  });

  it('identifies a user at any address, and a client by its network', async () => {
    const { result } = await send({ clientAddress: '192.0.2.1' });
    expect((await send({ clientAddress: '192.0.2.2' })).result).toEqual(result);
    key += 'v6';
    const six = await send({ userId: null, clientAddress: '2001:db8::1' });
    expect((await send({ userId: null, clientAddress: '2001:db8::2' })).result).toEqual(six.result);
  });

  it('stores nothing for a failed request', async () => {
    await expect(send({}, { fails: true })).rejects.toThrow('it failed');
    expect(await send({}, { input: 'corrected' })).not.toHaveProperty('replayed');
  });

  it('returns one response to ten concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(new Set(responses.map(({ result }) => JSON.stringify(result))).size).toBe(1);
    expect(responses.filter(({ replayed }) => replayed === undefined)).toHaveLength(1);
  });

  it('throws IDEMPOTENCY_CONFLICT for all but one of ten different concurrent requests', async () => {
    const sent = Array.from({ length: 10 }, (_, input) => send({}, { input }));
    const settled = await Promise.allSettled(sent);
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(9);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('returns a JSON text unchanged', async () => {
    const exact = '{ "2": 12345678901234567890, "1": 1.0 }';
    const reply = { status: () => reply, header: () => reply } as unknown as FastifyReply;
    const once = () =>
      keys.executeOnce(contextOf(), { key, operation: 'create', reply }, null, async (save) => {
        await save?.(opened.ctx.db, 200, { exact: new JsonText(exact) });
        return 'first';
      });
    expect(await once()).toBe('first');
    expect(await once()).toEqual(new JsonText(`{"exact":${exact}}`));
  });

  it('executes the request again after 24 hours, before and after the sweep', async () => {
    const shared = opened.databases.shared();
    const age = () =>
      shared.query("UPDATE idempotency_keys SET created_at = created_at - interval '24 hours'");
    const first = await send();
    await age();
    const second = await send({}, { input: 'other' });
    expect(second).not.toHaveProperty('replayed');
    expect((await send({}, { input: 'other' })).result).toEqual(second.result);
    expect(first.result).not.toEqual(second.result);
    await age();
    await send({ userId: 'kept' });
    // A database that fails, or does not respond, delays no other.
    const failing: Queryable = { query: () => Promise.reject(new Error('unavailable')) };
    let answer: (rows: never[]) => void = () => undefined;
    const silence = new Promise<never[]>((resolve) => (answer = resolve));
    const silent: Queryable = { query: () => silence };
    const databases = [failing, silent, shared];
    const sweep = expiredKeysSweep(service, { databases, logger: { warn: () => undefined } });
    sweep.start();
    const kept = () => shared.query('SELECT 1 FROM idempotency_keys');
    expect(await eventually(kept, ({ length }) => length === 1)).toHaveLength(1);
    answer([]);
    await sweep.stop();
    expect(await send()).not.toHaveProperty('replayed');
  });
});
