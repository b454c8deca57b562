import type { TransactionalSql } from '@quire/database';
import type { Principal } from '../actors/principal.js';

/** What every operation gets first: who calls, for which tenant, and the only way to that tenant's data. */
export interface Context {
  principal: Principal;
  requestId: string;
  /** The client's IP address as a trusted proxy told it; null when nobody trusted did, and for work without a client. */
  clientAddress: string | null;
  db: TransactionalSql;
}
