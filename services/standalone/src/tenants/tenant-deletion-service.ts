import type { TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import {
  cancelDeletion,
  recordOperatorAction,
  scheduleDeletion,
  selectDuePurges,
  storageIdOf,
  type PendingDeletion,
} from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { commandLineActor } from '../command-line-actor.js';
import { announceTenants } from './announce-tenants.js';
import { purgeTenant } from './purge-tenant.js';

/** Time from the deletion of a site to the purge of its data, unless an operator gives another one. */
export const defaultKeepSeconds = 30 * 86_400;
const maxKeepSeconds = 3_650 * 86_400;
const secondsOf = { h: 3_600, d: 86_400 } as const;

/** A time in hours or days: `30d`, `12h`; `0d` is no time. @returns seconds; undefined for another text */
export function parseKeep(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (unit === '') return undefined;
  const seconds = Number(count) * secondsOf[unit as keyof typeof secondsOf];
  return seconds <= maxKeepSeconds ? seconds : undefined;
}

/**
 * Deletion of sites: a deleted site responds with SITE_DELETED, keeps its hosts, and its jobs and schedules wait. It is
 * restorable until the purge of its data begins. Changes are in the log of operators, under `actor`: the user of the
 * command line unless given.
 */
export class TenantDeletionService {
  constructor(private readonly container: AppContainer) {}

  /**
   * Deletes a site. Repeating it changes only the time of the purge, which counts from the first call.
   * @param keepSeconds time from the deletion to the purge
   * @throws QuireError NOT_FOUND, also for a site whose purge has begun
   */
  async delete(id: string, keepSeconds: number, actor: string): Promise<PendingDeletion> {
    const deletion = await (
      await this.registry()
    ).transaction(async (tx) => {
      const scheduled = await scheduleDeletion(tx, await storageIdOf(tx, id), keepSeconds);
      if (!scheduled) throw notFound(id);
      const detail = { purgeAt: scheduled.purgeAt };
      await recordOperatorAction(tx, { actor, action: 'tenant delete', target: id, detail, count: 1 });
      return scheduled;
    });
    await announceTenants(this.container);
    return deletion;
  }

  /**
   * Restores a deleted site. One that is not deleted stays as it is.
   * @throws QuireError NOT_FOUND; CONFLICT when its purge has begun
   */
  async restore(id: string, actor: string): Promise<void> {
    await (
      await this.registry()
    ).transaction(async (tx) => {
      const cancelled = await cancelDeletion(tx, await storageIdOf(tx, id));
      if (cancelled === undefined) throw notFound(id);
      if (cancelled === 'purging')
        throw new QuireError('CONFLICT', `Not restored: the data of ${id} is being deleted`);
      if (cancelled === 'restored')
        await recordOperatorAction(tx, { actor, action: 'tenant restore', target: id, detail: {}, count: 1 });
    });
    await announceTenants(this.container);
  }

  /**
   * Deletes all data of a site at once, deleted before or not, and continues an interrupted purge.
   * @throws QuireError NOT_FOUND; the error of a store that does not respond: then a worker continues
   */
  async purge(id: string, actor = commandLineActor()): Promise<void> {
    const storageId = await storageIdOf(await this.registry(), id);
    if (!(await purgeTenant(this.container, { id: storageId, condition: 'any', actor }))) throw notFound(id);
  }

  /**
   * Purges a site if its time has come, or its purge has begun.
   * @param id its storage id
   * @returns false otherwise
   */
  purgeDue(id: string, actor: string): Promise<boolean> {
    return purgeTenant(this.container, { id, condition: 'due', actor });
  }

  /** Storage ids of the sites whose time has come, and of those whose purge has begun. */
  async duePurges(): Promise<string[]> {
    return selectDuePurges(await this.registry());
  }

  private async registry(): Promise<TransactionalDatabase> {
    return await this.container.registryTables();
  }
}

const notFound = (id: string) => new QuireError('NOT_FOUND', `There is no tenant ${id}`);
