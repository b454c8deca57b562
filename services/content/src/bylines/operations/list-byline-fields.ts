import type { Context } from '@quire/context';
import {
  selectBylineFields,
  countBylineFieldValues,
  selectBylineField,
} from '../byline-fields.repository.js';
import type { BylineFieldResponse, BylineFieldUsage } from '../byline-fields.schemas.js';

/** The fields that this site's bylines have, in display order (contract 35). */
export function listBylineFields(ctx: Context): Promise<BylineFieldResponse[]> {
  return selectBylineFields(ctx.db);
}

/** @throws QuireError NOT_FOUND */
export function getBylineField(ctx: Context, slug: string): Promise<BylineFieldResponse> {
  return selectBylineField(ctx.db, slug);
}

/** How many values would go with a field. @throws QuireError NOT_FOUND */
export async function getBylineFieldUsage(ctx: Context, slug: string): Promise<BylineFieldUsage> {
  await selectBylineField(ctx.db, slug);
  return countBylineFieldValues(ctx.db, slug);
}
