import type { TransactionalSql } from '@quire/database';
import type { Principal } from '../actors/principal.js';

/** What every operation gets first: who calls, for which tenant, and the only way to that tenant's data. */
export interface Context {
  principal: Principal;
  requestId: string;
  db: TransactionalSql;
}
