import { QuireError, type ErrorCode } from '@quire/errors';

/** Why a site is read-only: the error code of its rejected writes. */
export type ReadOnlyReason = Extract<ErrorCode, 'TRANSFER_IMPORT_IN_PROGRESS'>;

const messages: Record<ReadOnlyReason, string> = {
  TRANSFER_IMPORT_IN_PROGRESS:
    'A site import is running. Retry later, or abandon the import if it has failed or was cancelled.',
};
/** Imports take minutes. */
const retryAfterSeconds = 30;

/** What knows the reasons: the registry, which has them in memory. */
export interface ReadOnlyReasons {
  readOnlyReasonOf(tenantId: string): Promise<ReadOnlyReason | undefined>;
}

/**
 * Rejects a write of a read-only site (contract 25).
 * @throws QuireError with the reason as its code; TRANSFER_FENCE_CHECK_FAILED when the registry cannot be read
 */
export async function assertNotReadOnly(reasons: ReadOnlyReasons, tenantId: string): Promise<void> {
  const reason = await reasons.readOnlyReasonOf(tenantId).catch((cause: unknown) => {
    const message = 'The state of the site imports is unavailable. Retry later.';
    throw new QuireError('TRANSFER_FENCE_CHECK_FAILED', message, { retryAfterSeconds, cause });
  });
  if (reason !== undefined) throw new QuireError(reason, messages[reason], { retryAfterSeconds });
}
