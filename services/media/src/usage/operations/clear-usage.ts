import type { Context } from '@quire/context';
import { cancelAllRepairs, deleteAllCoverage } from '../usage-coverage.repository.js';
import { deleteAllDeletions } from '../usage-deletions.repository.js';
import { deleteIndexBatch } from '../usage-index.repository.js';
import { deleteAllRebuilds } from '../usage-rebuilds.repository.js';
import { deleteAllWorkBatch } from '../usage-work.repository.js';

/**
 * Deletes what the usage index has of a site, and its pending work: a bounded number of rows. Work is deleted before
 * sources: a worker that has read an entry finds no work to complete, and writes nothing. The activation remains.
 * @returns false when rows may be left
 */
export async function clearUsage({ db, principal }: Context, limit: number): Promise<boolean> {
  const { tenant } = principal;
  await cancelAllRepairs(db);
  await deleteAllRebuilds(db, tenant);
  await deleteAllDeletions(db, tenant);
  if (await deleteAllWorkBatch(db, tenant, limit)) return false;
  if (await deleteIndexBatch(db, limit)) return false;
  await deleteAllCoverage(db);
  return true;
}
