import type { SiteLimits, SiteSettings } from '@quire/config';
import type { Queryable } from '@quire/database';
import { lockRegistry } from './registration.js';

/** What operators set for one site. */
export interface SiteOptions {
  settings: SiteSettings;
  limits: SiteLimits;
  /** Name of the plan that the limits come from, for operators; null without one. */
  plan: string | null;
}

/**
 * The options of a site. Other changes of the registry wait until the end of the transaction.
 * @param tx in the registry's schema
 * @returns undefined when there is no such site
 */
export async function lockSiteOptions(tx: Queryable, tenantId: string): Promise<SiteOptions | undefined> {
  await lockRegistry(tx);
  const [row] = await tx.query<SiteOptions>(
    'SELECT settings, limits, plan FROM tenants WHERE id = $1 AND purge_started_at IS NULL',
    [tenantId],
  );
  return row;
}

/** Stores validated options of a site. @param tx in the registry's schema */
export async function updateSiteOptions(
  tx: Queryable,
  tenantId: string,
  { settings, limits, plan }: SiteOptions,
): Promise<void> {
  await tx.query('UPDATE tenants SET settings = $2, limits = $3, plan = $4 WHERE id = $1', [
    tenantId,
    JSON.stringify(settings),
    JSON.stringify(limits),
    plan,
  ]);
}
