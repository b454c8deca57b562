import type { Context } from '@quire/context';
import { hasSqlState, insertRow, sqlState } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { BylineField, bylineFieldTypes, type BylineFieldType } from './byline-field.entity.js';
import {
  countBylineFieldValues,
  deleteBylineFieldWithValues,
  lockBylineField,
  lockBylineFields,
  selectBylineField,
  selectBylineFields,
  updateBylineFieldOrder,
  updateBylineFieldRow,
} from './byline-fields.repository.js';
import type {
  BylineFieldInput,
  BylineFieldResponse,
  BylineFieldUpdate,
  BylineFieldUsage,
} from './byline-fields.schemas.js';

const maxSortOrder = 2_147_483_647;

/** @returns the fields of the site's bylines in display order (contract 35). */
export async function listBylineFields(ctx: Context): Promise<{ items: BylineFieldResponse[] }> {
  return { items: await selectBylineFields(ctx.db) };
}

/** @returns one field of bylines (contract 35). @throws QuireError NOT_FOUND. */
export function getBylineField(ctx: Context, slug: string): Promise<BylineFieldResponse> {
  return selectBylineField(ctx.db, slug);
}

/** @returns how many stored values the deletion of a field would delete. @throws QuireError NOT_FOUND. */
export async function getBylineFieldUsage(ctx: Context, slug: string): Promise<BylineFieldUsage> {
  await selectBylineField(ctx.db, slug);
  return countBylineFieldValues(ctx.db, slug);
}

/**
 * Creates a field of bylines, the last in display order unless the input has a `sortOrder` (contract 35).
 * @throws QuireError FIELD_EXISTS, INVALID_TYPE, VALIDATION_ERROR (`validation.options`, required for a select and
 *   rejected for any other type).
 */
export async function createBylineField(ctx: Context, input: BylineFieldInput): Promise<BylineFieldResponse> {
  const { type, validation } = input;
  if (!isBylineFieldType(type))
    throw new QuireError('INVALID_TYPE', `type: must be one of: ${bylineFieldTypes.join(', ')}`);
  assertOptionsMatchType(type, validation);
  try {
    return await ctx.db.transaction(async (tx) => {
      const last = (await selectBylineFields(tx)).at(-1)?.sortOrder ?? -1;
      const sortOrder = input.sortOrder ?? Math.min(last + 1, maxSortOrder);
      return insertRow(tx, BylineField, { ...input, id: ulid(), type, sortOrder });
    });
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    throw new QuireError('FIELD_EXISTS', `Byline field '${input.slug}' already exists`, { cause: error });
  }
}

/**
 * Updates the given properties of a field; slug and type are fixed. Stored values are not validated again (contract
 * 35).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (`validation.options`), TRANSLATABLE_LOCKED (`translatable`, once
 *   values are stored: it decides whether they belong to a byline or to its group).
 */
export async function updateBylineField(
  ctx: Context,
  { slug, update }: { slug: string; update: BylineFieldUpdate },
): Promise<BylineFieldResponse> {
  return ctx.db.transaction(async (tx) => {
    const field = await lockBylineField(tx, slug);
    if (update.validation !== undefined) assertOptionsMatchType(field.type, update.validation);
    if (update.translatable !== undefined && update.translatable !== field.translatable) {
      const { totalAffectedRows } = await countBylineFieldValues(tx, slug);
      if (totalAffectedRows > 0) {
        const message = `translatable: ${totalAffectedRows} values of '${slug}' exist`;
        throw new QuireError('TRANSLATABLE_LOCKED', message);
      }
    }
    return updateBylineFieldRow(tx, field.id, update);
  });
}

/**
 * Sets the display order of the fields (contract 35).
 * @param slugs of all fields, each once
 * @throws QuireError REORDER_MISMATCH for any other list.
 */
export async function reorderBylineFields(
  ctx: Context,
  slugs: readonly string[],
): Promise<{ items: BylineFieldResponse[] }> {
  return ctx.db.transaction(async (tx) => {
    const storedSlugs = (await lockBylineFields(tx, 'FOR UPDATE')).map(({ slug }) => slug);
    const given = new Set(slugs);
    const isComplete = slugs.length === storedSlugs.length && storedSlugs.every((slug) => given.has(slug));
    if (!isComplete)
      throw new QuireError('REORDER_MISMATCH', 'slugs: must list every byline field exactly once');
    await updateBylineFieldOrder(tx, slugs);
    return { items: await selectBylineFields(tx) };
  });
}

/** Deletes a field with its stored values (contract 35). @throws QuireError NOT_FOUND. */
export async function deleteBylineField(ctx: Context, slug: string): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    await lockBylineField(tx, slug);
    await deleteBylineFieldWithValues(tx, slug);
    return { deleted: true };
  });
}

/** @throws QuireError VALIDATION_ERROR */
function assertOptionsMatchType(type: BylineFieldType, validation: BylineField['validation']): void {
  const path = 'validation.options';
  const hasOptions = validation?.options !== undefined;
  if (type === 'select' && !hasOptions) throw invalidInput([{ path, message: 'a select needs options' }]);
  if (type !== 'select' && hasOptions)
    throw invalidInput([{ path, message: `a ${type} field has no options` }]);
}

function isBylineFieldType(type: string): type is BylineFieldType {
  return (bylineFieldTypes as readonly string[]).includes(type);
}
