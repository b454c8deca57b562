import { QuireError } from '@quire/errors';

/** @returns the error for a write that met a change of its collection again and again. */
export function collectionBusyError(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'The collection is being changed. Retry later.', {
    retryAfterSeconds: 1,
  });
}
