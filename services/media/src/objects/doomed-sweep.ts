import type { Sql } from '@quire/database';
import type { ObjectStore } from '@quire/object-store';
import type { Logger } from '@quire/observability';
import { claimDoomed, forgetDoomed, type DoomedObject } from './doomed-objects.repository.js';

const sweepEveryMs = 2_000;
const batchSize = 50;

export interface DoomedSweepParts {
  /** The shared schema of each database of the service. */
  databases: readonly Sql[];
  store: ObjectStore;
  /** The data of a tenant, or undefined when the tenant is gone. */
  tenantDatabase: (tenantId: string) => Promise<Sql | undefined>;
  logger: Logger;
}

/**
 * Deletes objects whose time has come: of uploads that were broken off, of announced ones that nobody confirmed, of items that were
 * deleted while the store was down. Several may run at once: each object is claimed by one of them.
 */
export class DoomedSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;
  private isFailing = false;

  constructor(private readonly parts: DoomedSweepParts) {}

  start(): void {
    this.schedule(0);
  }

  /** Stops sweeping and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep().finally(() => this.schedule(sweepEveryMs));
    }, delayMs);
  }

  private async sweep(): Promise<void> {
    try {
      for (const sql of this.parts.databases) {
        let claimed: DoomedObject[];
        do {
          claimed = await claimDoomed(sql, batchSize);
          for (const object of claimed) await this.delete(sql, object);
        } while (claimed.length === batchSize && !this.isStopped);
      }
      this.isFailing = false;
    } catch (error) {
      // One line an outage: claimed objects come again by themselves.
      if (!this.isFailing) this.parts.logger.warn({ err: error }, 'objects cannot be deleted now');
      this.isFailing = true;
    }
  }

  /** First the row, so that no item is left without its bytes. */
  private async delete(sql: Sql, { objectKey, tenantId, itemId }: DoomedObject): Promise<void> {
    const { store, tenantDatabase } = this.parts;
    const tenant = itemId === null ? undefined : await tenantDatabase(tenantId);
    if (tenant) await tenant.query("DELETE FROM media_items WHERE id = $1 AND status <> 'ready'", [itemId]);
    await store.delete(objectKey);
    await forgetDoomed(sql, objectKey);
  }
}
