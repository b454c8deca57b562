import { QuireError } from '@quire/errors';

/** Operators resume sites by hand, so clients need not hurry. */
const retryAfterSeconds = 300;

/** What knows the suspended sites: the registry, which has them in memory. */
export interface Suspensions {
  isSuspended(tenantId: string): Promise<boolean>;
}

/**
 * Rejects every request of a suspended site. The reason is the operator's and is not shown.
 * @throws QuireError SITE_SUSPENDED
 */
export async function assertNotSuspended(suspensions: Suspensions, tenantId: string): Promise<void> {
  if (await suspensions.isSuspended(tenantId))
    throw new QuireError('SITE_SUSPENDED', 'The site is suspended by its provider', { retryAfterSeconds });
}
