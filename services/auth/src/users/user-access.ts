import type { Sql } from '@quire/database';

/** What lets a user in, as far as other folders keep it: sessions and what applications were granted. */
export abstract class UserAccess {
  /** Ends it all, in the transaction that disables the user. */
  abstract end(tx: Sql, userId: string): Promise<void>;
  /** Ends the sessions alone, in the transaction that changes what the user may do. */
  abstract endSessions(tx: Sql, userId: string): Promise<void>;
}
