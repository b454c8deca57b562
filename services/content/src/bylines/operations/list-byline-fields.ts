import type { Context } from '@quire/context';
import { allFields, countValues, loadField } from '../byline-fields.repository.js';
import type { BylineFieldAnswer, BylineFieldUsage } from '../byline-fields.schemas.js';

/** The fields that this site's bylines have, in display order (contract 35). */
export function listBylineFields(ctx: Context): Promise<BylineFieldAnswer[]> {
  return allFields(ctx.db);
}

/** @throws QuireError NOT_FOUND */
export function getBylineField(ctx: Context, slug: string): Promise<BylineFieldAnswer> {
  return loadField(ctx.db, slug);
}

/** How many values would go with a field. @throws QuireError NOT_FOUND */
export async function getBylineFieldUsage(ctx: Context, slug: string): Promise<BylineFieldUsage> {
  await loadField(ctx.db, slug);
  return countValues(ctx.db, slug);
}
