import { IdempotencyKeys } from '@quire/idempotency';

/** The keys of this service's operations. */
export const idempotencyKeys = new IdempotencyKeys('content');
