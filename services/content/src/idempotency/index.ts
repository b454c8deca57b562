import { IdempotencyKeys } from '@quire/idempotency';

/** Idempotency keys of requests to the content service. */
export const idempotencyKeys = new IdempotencyKeys('content');
