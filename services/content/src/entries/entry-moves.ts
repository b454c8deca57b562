import type { Transaction } from '@quire/database';
import type { CollectionDefinition } from '../schema/index.js';

/** An entry on the live site whose slug has changed. */
export interface EntryMove {
  tenantId: string;
  definition: CollectionDefinition;
  entry: { id: string; locale: string };
  fromSlug: string;
  toSlug: string;
}

/** Hears of live entries that move, in the transaction that moves them. */
export abstract class EntryMoves {
  abstract moved(tx: Transaction, move: EntryMove): Promise<void>;
}
