import type { Context } from '@quire/context';
import { hasSqlState, sqlState } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { BylineField, bylineFieldTypes, type BylineFieldType } from '../byline-field.entity.js';
import { selectBylineFields, selectBylineField } from '../byline-fields.repository.js';
import type { BylineFieldResponse, BylineFieldInput } from '../byline-fields.schemas.js';

const maxSortOrder = 2_147_483_647;

/**
 * Gives bylines a field, the last one unless the input says where (contract 35).
 * @throws QuireError FIELD_EXISTS, INVALID_TYPE, VALIDATION_ERROR (options, which a select needs and no other type
 *   has).
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
      await tx.repository(BylineField).insert({ ...input, id: ulid(), type, sortOrder });
      return selectBylineField(tx, input.slug);
    });
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    throw new QuireError('FIELD_EXISTS', `Byline field '${input.slug}' already exists`, { cause: error });
  }
}

/** @throws QuireError VALIDATION_ERROR */
export function assertOptionsMatchType(type: BylineFieldType, validation: BylineField['validation']): void {
  const path = 'validation.options';
  const hasOptions = validation?.options !== undefined;
  if (type === 'select' && !hasOptions) throw invalidInput([{ path, message: 'a select needs options' }]);
  if (type !== 'select' && hasOptions)
    throw invalidInput([{ path, message: `a ${type} field has no options` }]);
}

function isBylineFieldType(type: string): type is BylineFieldType {
  return (bylineFieldTypes as readonly string[]).includes(type);
}
