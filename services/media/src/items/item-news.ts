import type { Context } from '@quire/context';
import type { CacheRelay } from '@quire/messages';

/** Tells whoever keeps the address of an item's file that it is another one now, or gone. */
export class ItemNews {
  constructor(private readonly relay: CacheRelay) {}

  /** Call it after the commit. */
  changed(ctx: Context, id: string): void {
    this.relay.drop('media', ctx.principal.tenant.id, id);
  }
}
