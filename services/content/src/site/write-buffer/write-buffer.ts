import { hasSqlState, sqlState, type TransactionalDatabase } from '@quire/database';
import type { Context } from '@quire/context';
import type { Tenant } from '@quire/tenancy';

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
    this.put(principal.tenant, db, key, value);
  }

  /** Discards the pending values of the caller's tenant, also those that the running flush has not written yet. */
  discard({ principal }: Context): void {
    this.size -= this.batches.get(principal.tenant.id)?.values.size ?? 0;
    this.batches.delete(principal.tenant.id);
    this.flushing.delete(principal.tenant.id);
  }

  /**
   * Writes the pending values, tenant by tenant in each database. Values that cannot be written stay pending.
   * @throws the first failure, after all tenants were tried.
   */
  async flush(): Promise<void> {
    const batches = this.batches;
    this.batches = new Map();
    this.flushing = batches;
    this.size = 0;
    const failures: unknown[] = [];
    const writeOne = async (batch: Batch<Value>) => {
      // A discarded batch is neither written nor kept.
      if (!batches.has(batch.tenant.id)) return;
      try {
        await this.write(batch);
      } catch (error) {
        failures.push(error);
        if (batches.has(batch.tenant.id)) this.putBack(batch);
      }
    };
    const all = [...batches.values()];
    // A database that is unavailable or slow must delay no other.
    const databases = [...new Set(all.map(({ tenant }) => tenant.database))];
    const writeThoseOf = async (database: string | null) => {
      for (const batch of all) if (batch.tenant.database === database) await writeOne(batch);
    };
    await Promise.all(databases.map(writeThoseOf));
    if (failures.length > 0) throw failures[0];
  }

  private async write({ tenant, db, values }: Batch<Value>): Promise<void> {
    try {
      await this.options.write({ db, tenantId: tenant.id }, values);
    } catch (error) {
      // The tenant was deleted with its tables.
      if (!hasSqlState(error, sqlState.undefinedTable)) throw error;
    }
  }

  private putBack({ tenant, db, values }: Batch<Value>): void {
    for (const [key, value] of values) this.put(tenant, db, key, value);
  }

  private put(tenant: Tenant, db: TransactionalDatabase, key: string, value: Value): void {
    const { maxTotal, maxPerTenant, merge } = this.options;
    const batch = this.batches.get(tenant.id) ?? { tenant, db, values: new Map<string, Value>() };
    const known = batch.values.get(key);
    if (known === undefined && (batch.values.size >= maxPerTenant || this.size >= maxTotal)) return;
    if (known === undefined) this.size += 1;
    batch.values.set(key, known === undefined ? value : merge(known, value));
    this.batches.set(tenant.id, batch);
  }
}
