import { columnClass } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { fingerprintOfTypes, typesOfField } from '../block-types/block-type-rules.js';
import { toBlockTypeResponse, type BlockTypeResponse } from '../block-types/block-type.mapper.js';
import { selectBlockTypes } from '../block-types/block-types.repository.js';
import type { StoredField } from './fields.repository.js';

/** A field in responses (contract 6). A blocks field has its block types and a fingerprint of them (contract 14). */
export type FieldResponse = StoredField & {
  columnType: ReturnType<typeof columnClass>;
  blockTypes?: BlockTypeResponse[];
  blockTypeFingerprint?: string;
};

/** Reads the site's block types if one of the fields is a blocks field. */
export async function toFieldResponses(
  sql: Queryable,
  fields: readonly StoredField[],
): Promise<FieldResponse[]> {
  const types = fields.some(({ type }) => type === 'blocks') ? await selectBlockTypes(sql) : [];
  return fields.map((field) => {
    if (field.type !== 'blocks') return toBaseFieldResponse(field);
    const allowed = typesOfField(field, types);
    return {
      ...toBaseFieldResponse(field),
      blockTypes: allowed.map(toBlockTypeResponse),
      blockTypeFingerprint: fingerprintOfTypes(allowed),
    };
  });
}

/** As `toFieldResponses`, for one field. */
export async function toFieldResponse(sql: Queryable, field: StoredField): Promise<FieldResponse> {
  const [response = toBaseFieldResponse(field)] = await toFieldResponses(sql, [field]);
  return response;
}

/** A field without its block types. */
export function toBaseFieldResponse(field: StoredField): FieldResponse {
  return { ...field, columnType: columnClass(field.type) };
}
