import { setTimeout as wait } from 'node:timers/promises';
import { hasSqlState, sqlState, type TransactionalDatabase } from '@quire/database';
import type { Context } from '@quire/context';
import type { Tenant } from '@quire/tenancy';
import type { DatabaseLimits } from './task-limit.js';

interface Batch<Value> {
  tenant: Tenant;
  db: TransactionalDatabase;
  values: Map<string, Value>;
}

export interface WriteBufferOptions<Value> {
  /** Merges two values of one key, in any order. */
  merge: (one: Value, other: Value) => Value;
  /** Writes a tenant's batch as a whole, or nothing. */
  write: (
    target: { db: TransactionalDatabase; tenantId: string },
    values: ReadonlyMap<string, Value>,
  ) => Promise<void>;
  /** Limits of keys that are not written yet, of one tenant and of all together; further keys are dropped. */
  maxPerTenant: number;
  maxTotal: number;
  /** Limits of the writes at once. */
  limits: DatabaseLimits;
}

/**
 * Collects values of requests in memory and writes them later, those of a tenant in one statement. A killed process
 * loses those of the last seconds. The limits bound the memory.
 */
export class WriteBuffer<Value> {
  /** Values by tenant id that no write has taken. */
  private readonly pending = new Map<string, Batch<Value>>();
  /** Batches by tenant id that are being written, or wait for their turn. */
  private readonly taken = new Map<string, Batch<Value>>();
  private readonly writes = new Set<Promise<void>>();
  private readonly failures: unknown[] = [];
  /** Number of keys, pending and taken. */
  private size = 0;

  constructor(private readonly options: WriteBufferOptions<Value>) {}

  /** Adds a value for a key of the caller's tenant. */
  add({ principal: { tenant }, db }: Context, key: string, value: Value): void {
    this.put(tenant, db, key, value);
    // The values of a site that has moved are written to its new database.
    const batch = this.pending.get(tenant.id);
    if (batch) Object.assign(batch, { tenant, db });
  }

  /** Discards the values of the caller's tenant, also those of a write that has not begun. */
  discard({ principal }: Context): void {
    for (const batches of [this.pending, this.taken]) {
      const batch = batches.get(principal.tenant.id);
      if (batch) this.remove(batches, batch);
    }
  }

  /**
   * Writes the pending values, tenants in parallel within the limits of their databases. Values that cannot be written
   * stay pending.
   * @param options.maxWaitMs returns after this time, while slow tenants are still written; their further values wait
   *   for a later flush. Without it, everything that was added before the call is written.
   * @throws the first failure since the last flush, after all tenants were tried or the time is over
   */
  async flush({ maxWaitMs }: { maxWaitMs?: number } = {}): Promise<void> {
    if (maxWaitMs === undefined && this.writes.size > 0) await Promise.all(this.writes);
    for (const batch of [...this.pending.values()]) if (!this.taken.has(batch.tenant.id)) this.take(batch);
    await withinTime(Promise.all(this.writes), maxWaitMs);
    const failures = this.failures.splice(0);
    if (failures.length > 0) throw failures[0];
  }

  private take(batch: Batch<Value>): void {
    const { id, database } = batch.tenant;
    this.pending.delete(id);
    this.taken.set(id, batch);
    const write = this.options.limits
      .of(database)
      .run(() => this.write(batch))
      .finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  private async write(batch: Batch<Value>): Promise<void> {
    const { tenant, db, values } = batch;
    // A discarded batch is neither written nor kept.
    const isTaken = () => this.taken.get(tenant.id) === batch;
    if (!isTaken()) return;
    try {
      await this.options.write({ db, tenantId: tenant.id }, values);
      if (isTaken()) this.remove(this.taken, batch);
    } catch (error) {
      const isKept = isTaken();
      if (isKept) this.remove(this.taken, batch);
      // The tenant was deleted with its tables.
      if (hasSqlState(error, sqlState.undefinedTable)) return;
      this.failures.push(error);
      if (isKept) for (const [key, value] of values) this.put(tenant, db, key, value);
    }
  }

  private remove(batches: Map<string, Batch<Value>>, { tenant, values }: Batch<Value>): void {
    batches.delete(tenant.id);
    this.size -= values.size;
  }

  private put(tenant: Tenant, db: TransactionalDatabase, key: string, value: Value): void {
    const { maxTotal, maxPerTenant, merge } = this.options;
    const batch = this.pending.get(tenant.id) ?? { tenant, db, values: new Map<string, Value>() };
    const known = batch.values.get(key);
    if (known === undefined && (batch.values.size >= maxPerTenant || this.size >= maxTotal)) return;
    if (known === undefined) this.size += 1;
    batch.values.set(key, known === undefined ? value : merge(known, value));
    this.pending.set(tenant.id, batch);
  }
}

async function withinTime(work: Promise<unknown>, maxWaitMs: number | undefined): Promise<void> {
  if (maxWaitMs === undefined) return void (await work);
  const timer = new AbortController();
  const end = wait(maxWaitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, end]);
  timer.abort();
}
