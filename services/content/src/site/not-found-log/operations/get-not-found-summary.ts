import type { Context } from '@quire/context';
import type { NotFoundSummary } from '../not-found-log.schemas.js';
import { selectMostFrequent } from '../not-found.repository.js';
import { topReferrer } from '../not-found-hits.js';

/** The paths that were missed most often, then most recently (contract 23). */
export async function getNotFoundSummary(ctx: Context, limit: number): Promise<NotFoundSummary[]> {
  const rows = await selectMostFrequent(ctx.db, limit);
  return rows.map(({ referrers, ...row }) => ({ ...row, topReferrer: topReferrer(referrers) }));
}
