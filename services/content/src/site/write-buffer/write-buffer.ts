import { hasSqlState, sqlState, type TransactionalDatabase } from '@quire/database';
import type { Context } from '@quire/context';

interface Batch<Value> {
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
  /** Limits of pending keys, of one tenant and of all together; further keys are dropped. */
  maxPerTenant: number;
  maxTotal: number;
}

/**
 * Collects values of requests in memory and writes them later, many in one statement. A killed process loses those of
 * the last seconds. The limits bound the memory.
 */
export class WriteBuffer<Value> {
  private batches = new Map<string, Batch<Value>>();
  /** Batches of the running flush that are not written yet. */
  private flushing = new Map<string, Batch<Value>>();
  private size = 0;

  constructor(private readonly options: WriteBufferOptions<Value>) {}

  /** Adds a value for a key of the caller's tenant. */
  add({ principal, db }: Context, key: string, value: Value): void {
    this.put(principal.tenant.id, db, key, value);
  }

  /** Discards the pending values of the caller's tenant, also those that the running flush has not written yet. */
  discard({ principal }: Context): void {
    this.size -= this.batches.get(principal.tenant.id)?.values.size ?? 0;
    this.batches.delete(principal.tenant.id);
    this.flushing.delete(principal.tenant.id);
  }

  /**
   * Writes the pending values, tenant by tenant. Values that cannot be written stay pending.
   * @throws the first failure, after all tenants were tried.
   */
  async flush(): Promise<void> {
    const batches = this.batches;
    this.batches = new Map();
    this.flushing = batches;
    this.size = 0;
    const failures: unknown[] = [];
    for (const [tenantId, { db, values }] of batches) {
      try {
        await this.options.write({ db, tenantId }, values);
      } catch (error) {
        // The tenant was deleted with its tables.
        if (hasSqlState(error, sqlState.undefinedTable)) continue;
        failures.push(error);
        if (!batches.has(tenantId)) continue;
        for (const [key, value] of values) this.put(tenantId, db, key, value);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private put(tenantId: string, db: TransactionalDatabase, key: string, value: Value): void {
    const { maxTotal, maxPerTenant, merge } = this.options;
    const batch = this.batches.get(tenantId) ?? { db, values: new Map<string, Value>() };
    const known = batch.values.get(key);
    if (known === undefined && (batch.values.size >= maxPerTenant || this.size >= maxTotal)) return;
    if (known === undefined) this.size += 1;
    batch.values.set(key, known === undefined ? value : merge(known, value));
    this.batches.set(tenantId, batch);
  }
}
