import type { Sql } from '@quire/database';

/** What ends when a user is disabled: sessions and the like, which other folders keep. */
export abstract class UserAccess {
  /** Ends it all, in the transaction that disables the user. */
  abstract end(tx: Sql, userId: string): Promise<void>;
}
