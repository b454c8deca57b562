import { deletePrefix } from '@quire/object-store';
import type { Queryable, TransactionalDatabase } from '@quire/database';
import {
  beginPurge,
  endPurge,
  presentIdOf,
  recordOperatorAction,
  registrySchema,
  removeTenant,
  type PurgeCondition,
  type Tenant,
} from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';
import type { AppContainer } from '../app-container.js';
import { databasesOf, ownedTables } from '../services.js';
import { announceTenants } from './announce-tenants.js';
import { otherCopies, removeCopies } from './move/index.js';

const leaseSeconds = 300;
const extendEveryMs = 30_000;

/** The purges of deleted sites, in the registry. A process that purges a site extends its claim until the end. */
export const tenantPurges = defineWorkTable<{ tenantId: string }, object>({
  name: `${registrySchema}.tenant_purges`,
  key: { tenantId: 'tenant_id' },
  payload: {},
  leaseSeconds,
  backoff: exponentialBackoff({ initialSeconds: 30, maxSeconds: 3600 }),
});

export interface PurgeRequest {
  /** The storage id of the site. */
  id: string;
  /** `due` for a purge that its time begins. */
  condition: PurgeCondition;
  /** For the log of operators, which has the begin and the end. */
  actor: string;
  /** Why it begins, for the log. */
  reason?: string;
  /** The claim of a worker; a call without one claims the purge itself. */
  claimed?: ClaimOf<typeof tenantPurges>;
  /** Called while the purge runs, with each extension of the claim. */
  onExtended?: () => void;
}

/**
 * Deletes all data of a site, and then the site. From the begin on the site is not restorable and has no hosts, so that
 * no request reaches a partly deleted one. Every step may be repeated: a call, or a worker, continues an interrupted
 * purge.
 * @param container whose stores have the data
 * @returns false when there is no such site that meets the condition
 * @throws the error of a store that does not respond; a worker then continues the purge later
 */
export async function purgeTenant(container: AppContainer, request: PurgeRequest): Promise<boolean> {
  const registry = await container.registryTables();
  const begun = await begin(registry, request);
  if (!begun) return false;
  await announceTenants(container);
  const { tenant, claimed } = begun;
  const extend = async () => {
    await extendClaim(registry, claimed);
    request.onExtended?.();
  };
  // A missed extension lets another process take over, which is harmless.
  const extending = setInterval(() => void extend().catch(() => undefined), extendEveryMs);
  try {
    await deleteData(container, tenant, request);
  } catch (error) {
    // A worker reschedules its own claim.
    if (!request.claimed) await tenantPurges.reschedule(registry, claimed);
    throw error;
  } finally {
    clearInterval(extending);
  }
  await end(registry, request);
  await announceTenants(container);
  return true;
}

async function begin(
  registry: TransactionalDatabase,
  { id, condition, actor, reason, claimed }: PurgeRequest,
): Promise<{ tenant: Tenant; claimed: ClaimOf<typeof tenantPurges> } | undefined> {
  return registry.transaction(async (tx) => {
    const begun = await beginPurge(tx, id, condition);
    if (!begun) return undefined;
    const detail: Record<string, string> = reason === undefined ? {} : { reason };
    if (!begun.isRepeated)
      await recordOperatorAction(tx, {
        actor,
        action: 'tenant purge',
        target: await presentIdOf(tx, id),
        detail,
        count: 1,
      });
    const claim = claimed ?? (await tenantPurges.claimByKey(tx, { tenantId: id }));
    if (!claim) throw new Error(`The purge of ${id} has no row of work`);
    // The begin has made it due.
    await extendClaim(tx, claim);
    return { tenant: begun.tenant, claimed: claim };
  });
}

async function extendClaim(sql: Queryable, claimed: ClaimOf<typeof tenantPurges>): Promise<void> {
  const { attempts } = claimed;
  await tenantPurges.reschedule(sql, claimed, { attempts, afterSeconds: leaseSeconds });
}

async function deleteData(
  container: AppContainer,
  tenant: Tenant,
  { condition }: Pick<PurgeRequest, 'condition'>,
): Promise<void> {
  await dropIndexes(container, tenant);
  const owned = await ownedTables(container);
  const { id, database: current } = tenant;
  // Copies that moves have left are data of the site too. One without tables has not moved.
  if (condition !== 'unmade')
    await removeCopies(await otherCopies(owned, { id, current, isComplete: true }), id);
  for (const { databases, tables } of owned) await removeTenant(databases, tables, tenant);
  await deletePrefix(await container.objectStore(), `${tenant.id}/`);
}

/** Deletes the indexes of a tenant in a search engine with its own store. */
async function dropIndexes(container: AppContainer, tenant: Tenant): Promise<void> {
  const engine = await container.searchEngine();
  const databases = await databasesOf(container, 'search');
  await engine.of({ tenantId: tenant.id, db: databases.tenant(tenant) }).dropAll();
}

async function end(registry: TransactionalDatabase, { id, actor }: PurgeRequest): Promise<void> {
  await registry.transaction(async (tx) => {
    const target = await presentIdOf(tx, id);
    if (await endPurge(tx, id))
      await recordOperatorAction(tx, { actor, action: 'tenant purged', target, detail: {}, count: 1 });
  });
}
