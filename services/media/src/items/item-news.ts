import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { CacheRelay } from '@quire/messages';
import { countFileChange } from './file-changes.repository.js';

/** Tells whoever shows an item's file that it is another one now, or gone. */
export class ItemNews {
  constructor(private readonly relay: CacheRelay) {}

  /**
   * Call it as the last statement of the transaction that does it, since others of the site wait for its end: it is counted with it,
   * and whoever keeps the file hears of it after the commit.
   */
  async fileChanged(tx: Transaction, ctx: Context, id: string): Promise<void> {
    await countFileChange(tx);
    tx.afterCommit(() => this.relay.drop('media', ctx.principal.tenant.id, id));
  }
}
