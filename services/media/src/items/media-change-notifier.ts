import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { CacheInvalidationBus } from '@quire/jobs';
import { incrementFileChangeCount } from './file-changes.repository.js';

/** Notifies caches that the file of an item was replaced or deleted. */
export class MediaChangeNotifier {
  constructor(private readonly relay: CacheInvalidationBus) {}

  /**
   * Counts the change in its transaction and notifies caches after the commit. Must be the last statement of the
   * transaction, since it locks a row that all such changes of the site update.
   */
  async fileChanged(tx: Transaction, ctx: Context, id: string): Promise<void> {
    await incrementFileChangeCount(tx);
    tx.afterCommit(() => this.relay.invalidate('media', ctx.principal.tenant.id, id));
  }

  /** `fileChanged` for many items of the site: caches drop all of its files. */
  async filesChanged(tx: Transaction, ctx: Context): Promise<void> {
    await incrementFileChangeCount(tx);
    tx.afterCommit(() => this.relay.invalidate('media', ctx.principal.tenant.id));
  }
}
