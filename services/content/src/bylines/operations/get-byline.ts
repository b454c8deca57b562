import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { BylineSummary } from '../credits/index.js';
import { selectBylinesOfGroup, selectByline } from '../bylines.repository.js';

/** @throws QuireError NOT_FOUND */
export function getByline(ctx: Context, id: string): Promise<BylineSummary> {
  return selectByline(ctx.db, id);
}

/** A byline in all its locales, by the id of one or of the group (spec document 2). @throws QuireError NOT_FOUND */
export async function listBylineTranslations(ctx: Context, id: string): Promise<BylineSummary[]> {
  const found = await selectBylinesOfGroup(ctx.db, id);
  if (found.length === 0) throw notFound('byline');
  return found;
}
