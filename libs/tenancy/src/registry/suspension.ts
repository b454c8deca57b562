import { QuireError } from '@quire/errors';

/** Operators resume sites by hand, so clients need not hurry. */
const retryAfterSeconds = 300;

/** What knows the suspended and the deleted sites: the registry, which has them in memory. */
export interface Suspensions {
  /** Whether a site is not served: it is suspended or deleted. */
  isSuspended(tenantId: string): Promise<boolean>;
  /** Whether a site is deleted, and restorable. */
  isDeleted(tenantId: string): Promise<boolean>;
}

/**
 * Rejects every request of a suspended or deleted site. The reason is the operator's and is not shown.
 * @throws QuireError SITE_SUSPENDED, SITE_DELETED
 */
export async function assertNotSuspended(suspensions: Suspensions, tenantId: string): Promise<void> {
  if (!(await suspensions.isSuspended(tenantId))) return;
  if (await suspensions.isDeleted(tenantId))
    throw new QuireError('SITE_DELETED', 'The site has been deleted');
  throw new QuireError('SITE_SUSPENDED', 'The site is suspended by its provider', { retryAfterSeconds });
}
