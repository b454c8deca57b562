import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/work-queue';
import { deleteCredits } from '../../bylines/index.js';
import { deleteFieldData, deleteLinks, deleteRowsOfEntries } from '../../schema/index.js';
import { continueDeletion, type DeletionSteps } from '../deletions.js';
import { deletionWork, selectDeletions, type ClaimedDeletions } from '../deletions.repository.js';

/** Time for one site, within its claim; then the others have their turn. */
const timeBudgetMs = 10_000;

const steps: DeletionSteps = {
  byline: deleteCredits,
  collection: deleteRowsOfEntries,
  field: deleteFieldData,
  relation: deleteLinks,
};

export interface DeletionsRunnerDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/** Deletes the rows of deleted objects that the requests of the deletions have left. */
export function deletionsRunner({
  databases,
  contextOf,
  logger,
}: DeletionsRunnerDeps): WorkQueueRunner<ClaimedDeletions> {
  return new WorkQueueRunner({
    databases,
    logger,
    table: deletionWork,
    batchSize: 1,
    process: async (sql, work) => {
      const ctx = await contextOf(work.tenantId, 'sweep:deletions');
      if (ctx && !(await finishDeletions(ctx, Date.now() + timeBudgetMs)))
        await deletionWork.reschedule(sql, work, { attempts: 0, afterSeconds: 0 });
      else await deletionWork.complete(sql, work);
    },
    failureMessage: 'deletion of rows rescheduled',
    fieldsOf: ({ tenantId, attempts }) => ({ tenant: tenantId, attempts }),
    failure: 'deletion sweep failed',
  });
}

/**
 * Takes the steps of all deletions of a site until the end of the time. One that fails does not delay the others.
 * @returns whether nothing is left
 */
export async function finishDeletions({ db, principal }: Context, end: number): Promise<boolean> {
  const tenantId = principal.tenant.id;
  let failure: unknown;
  for (const key of await selectDeletions(db)) {
    try {
      while (await continueDeletion({ db, tenantId }, key, steps[key.kind]))
        if (Date.now() >= end) return false;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return true;
}
