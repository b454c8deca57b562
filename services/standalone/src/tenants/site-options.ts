import { checkPlan, checkSiteLimits, checkSiteSettings } from '@quire/config';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  lockSiteOptions,
  recordOperatorAction,
  storageIdOf,
  updateSiteOptions,
  type SiteOptions,
} from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { listedProviderIds } from '../targets/login-providers.js';

/** Options of a site as an operator gave them. An absent part remains as it is. */
export interface SiteOptionsInput {
  settings?: unknown;
  limits?: unknown;
  /** Null for none. */
  plan?: unknown;
}

/**
 * Validates options of a site.
 * @throws QuireError VALIDATION_ERROR that names each invalid field
 */
export function checkSiteOptions(
  { site, environment }: Pick<AppContainer, 'site' | 'environment'>,
  { settings, limits, plan }: SiteOptionsInput,
): Partial<SiteOptions> {
  return {
    ...(settings !== undefined && {
      settings: checkSiteSettings(settings, { installation: site, providerIds: listedProviderIds(site) }),
    }),
    ...(limits !== undefined && {
      limits: checkSiteLimits(limits, { maxUploadBytes: environment.CMS_MAX_UPLOAD_BYTES }),
    }),
    ...(plan !== undefined && { plan: plan === null ? null : checkPlan(plan) }),
  };
}

/** A change of the options of a site, and who makes it. */
export interface SiteOptionsChange {
  actor: string;
  /** Name of the command. */
  action: string;
  /** The new options, of the present ones. An absent part remains as it is. */
  change: (present: SiteOptions) => SiteOptionsInput;
}

/**
 * Changes the options of a site, and records the change in the log of operators, in one transaction.
 * @returns the options after it
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR; nothing is changed then
 */
export async function changeSiteOptions(
  container: AppContainer,
  id: string,
  { actor, action, change }: SiteOptionsChange,
): Promise<SiteOptions> {
  const registry = await container.registryTables();
  return registry.transaction((tx) => changeSiteOptionsWithin(tx, container, id, { actor, action, change }));
}

/** Like `changeSiteOptions`, in an open transaction. @param options.detail further facts for the log */
export async function changeSiteOptionsWithin(
  tx: Queryable,
  container: AppContainer,
  id: string,
  { actor, action, change, detail = {} }: SiteOptionsChange & { detail?: Record<string, string> },
): Promise<SiteOptions> {
  const storageId = await storageIdOf(tx, id);
  const present = await lockSiteOptions(tx, storageId);
  if (!present) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
  const changed = checkSiteOptions(container, change(present));
  const options = { ...present, ...changed };
  await updateSiteOptions(tx, storageId, options);
  const values = Object.entries(changed).map(([name, value]) => [name, JSON.stringify(value)]);
  await recordOperatorAction(tx, {
    actor,
    action,
    target: id,
    detail: { ...detail, ...Object.fromEntries(values) },
    count: 1,
  });
  return options;
}

/**
 * Applies changes to an object, as a JSON merge patch (RFC 7396): null removes a key, an object changes the keys that
 * it has, any other value replaces the present one.
 */
export function mergePatch(present: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(present) ? present : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
