import { IdempotencyKeys } from '@quire/idempotency';

/** The idempotency keys of this service's operations. */
export const idempotencyKeys = new IdempotencyKeys('media');
