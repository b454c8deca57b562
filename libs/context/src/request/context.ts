import type { TransactionalDatabase } from '@quire/database';
import type { Principal } from '../actors/principal.js';

/** What every operation gets first: who calls, for which tenant, and the only way to that tenant's data. */
export interface Context {
  principal: Principal;
  requestId: string;
  /** The client's IP address; null if clients cannot be distinguished (decision 55), and for work without a client. */
  clientAddress: string | null;
  /** Origin at which the client reached the site, "https://example.com"; null for work without a client. */
  origin: string | null;
  db: TransactionalDatabase;
}
