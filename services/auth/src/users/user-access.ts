import type { Sql } from '@quire/database';

/** What lets a user in, as far as other folders keep it: sessions and what applications were granted. */
export abstract class UserAccess {
  /** Ends what applications were granted, in the transaction that disables the user. */
  abstract endGrants(tx: Sql, userId: string): Promise<void>;
  /** Ends the sessions, in the transaction that changes what the user may do. */
  abstract endSessions(tx: Sql, userId: string): Promise<void>;
}
