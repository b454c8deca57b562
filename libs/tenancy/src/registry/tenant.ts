import type { SiteLimits, SiteSettings } from '@quire/config';

/** One site. Its id is on every message, log line and metric (design 5). */
export interface Tenant {
  id: string;
  /** Key of its database: `EU1` means DATABASE_URL_EU1; null is the default database. */
  database: string | null;
  /** Settings in place of those of the installation; absent for a site without any. */
  settings?: SiteSettings;
  /** Absent for a site without limits. */
  limits?: SiteLimits;
}

/** A site that is not created yet. */
export interface NewTenant extends Tenant {
  /** Name of the plan that the limits come from; null for none. */
  plan?: string | null;
}

/** The tenant of an installation with a single site. */
export const defaultTenantId = 'default';

const tenantId = /^[a-z][a-z0-9-]{0,39}$/;
const databaseKey = /^[A-Z][A-Z0-9_]{0,30}$/;
const hostName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?$/;

export const isTenantId = (text: string): boolean => tenantId.test(text);
export const isDatabaseKey = (text: string): boolean => databaseKey.test(text);
export const isHostName = (text: string): boolean => hostName.test(text);

/**
 * Maximum size of a media file of a site, in bytes.
 * @param installationBytes the maximum of the installation
 */
export function maxUploadBytesOf({ limits }: Tenant, installationBytes: number): number {
  return Math.min(limits?.uploadBytes ?? installationBytes, installationBytes);
}

/** PostgreSQL schema of a tenant. */
export function tenantSchema(tenant: Pick<Tenant, 'id'>): string {
  return `site_${tenant.id}`;
}

/** PostgreSQL schema of a service's data across tenants, mainly its outbox. */
export function sharedSchema(service: string): string {
  return `cms_${service}`;
}
