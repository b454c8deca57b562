export { expiredKeysSweep } from './keys/expired-keys.js';
export { IdempotencyKeys, type SaveResponse } from './keys/idempotency-keys.js';
export { idempotencyKeysMigration } from './keys/idempotency-keys.tables.js';
export { Idempotent, type KeyedRequest } from './keys/keyed-request.js';
