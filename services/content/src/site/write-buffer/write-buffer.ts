import { hasSqlState, sqlState, type TransactionalDatabase } from '@quire/database';
import type { Context } from '@quire/context';

interface Batch<Value> {
  db: TransactionalDatabase;
  values: Map<string, Value>;
}

export interface WriteBufferOptions<Value> {
  /** Puts two values of one key together; the order in which they come is not known. */
  merge: (one: Value, other: Value) => Value;
  /** Writes a tenant's batch, all of it or nothing. */
  write: (
    target: { db: TransactionalDatabase; tenantId: string },
    values: ReadonlyMap<string, Value>,
  ) => Promise<void>;
  /** So many keys wait at most, of one tenant and of all together: what comes beyond is dropped. */
  maxPerTenant: number;
  maxTotal: number;
}

/**
 * Facts that requests leave behind and that are written later, many in one statement: they are kept in the memory of
 * this process, so a process that is killed loses those of the last seconds. Memory is bounded, however fast they come.
 */
export class WriteBuffer<Value> {
  private batches = new Map<string, Batch<Value>>();
  private size = 0;

  constructor(private readonly options: WriteBufferOptions<Value>) {}

  /** Notes a value for a key of the caller's tenant. */
  add({ principal, db }: Context, key: string, value: Value): void {
    this.put(principal.tenant.id, db, key, value);
  }

  /** Forgets what waits for the caller's tenant. */
  discard({ principal }: Context): void {
    this.size -= this.batches.get(principal.tenant.id)?.values.size ?? 0;
    this.batches.delete(principal.tenant.id);
  }

  /**
   * Writes what waits, tenant by tenant. What cannot be written now waits again.
   * @throws the first failure, after all tenants had their turn.
   */
  async flush(): Promise<void> {
    const taken = this.batches;
    this.batches = new Map();
    this.size = 0;
    const failures: unknown[] = [];
    for (const [tenantId, { db, values }] of taken) {
      try {
        await this.options.write({ db, tenantId }, values);
      } catch (error) {
        // The tables of a tenant that was removed: there is nothing to tell any more.
        if (hasSqlState(error, sqlState.undefinedTable)) continue;
        failures.push(error);
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
