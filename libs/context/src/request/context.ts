import type { TransactionalDatabase } from '@quire/database';
import type { Principal } from '../actors/principal.js';

/** The first parameter of every operation: the caller, the tenant, and the only access to the tenant's data. */
export interface Context {
  principal: Principal;
  requestId: string;
  /** The client's IP address; null if clients cannot be distinguished (decision 55), and for work without a client. */
  clientAddress: string | null;
  /** Origin at which the client reached the site, "https://example.com"; null for work without a client. */
  origin: string | null;
  /** Trace context (`traceparent`) of the request or job; the statements of `db` have it too. */
  trace?: string | undefined;
  db: TransactionalDatabase;
}
