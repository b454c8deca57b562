import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { CacheInvalidationBus } from '@quire/jobs';
import { incrementFileChangeCount } from './file-changes.repository.js';

/** Notifies caches that the file of an item was replaced or deleted. */
export class MediaChangeNotifier {
  constructor(private readonly relay: CacheInvalidationBus) {}

  /**
   * Call it as the last statement of the transaction that does it, since others of the site wait for its end: it is
   * counted with it, and whoever keeps the file hears of it after the commit.
   */
  async fileChanged(tx: Transaction, ctx: Context, id: string): Promise<void> {
    await incrementFileChangeCount(tx);
    tx.afterCommit(() => this.relay.invalidate('media', ctx.principal.tenant.id, id));
  }
}
