import type { Queryable } from '@quire/database';
import { fieldDefinition } from '../definitions/collection-definition.js';
import type { Field } from '../fields/field.entity.js';
import { toBaseFieldResponse, type BaseFieldResponse } from '../schema.mapper.js';
import { selectBlockTypes, type BlockType } from './block-type.js';
import { fingerprintOfTypes, typesOfField } from './block-type-rules.js';

/** A field with, when it holds blocks, the types it may hold and a fingerprint of them (contract 14). */
export type FieldResponse = BaseFieldResponse & { blockTypes?: BlockType[]; blockTypeFingerprint?: string };

/** Fields as the API answers them. Block types are read only where a field holds blocks. */
export async function toFieldResponses(sql: Queryable, fields: readonly Field[]): Promise<FieldResponse[]> {
  const types = fields.some(({ type }) => type === 'blocks') ? await selectBlockTypes(sql) : [];
  return fields.map((field) => {
    if (field.type !== 'blocks') return toBaseFieldResponse(field);
    const blockTypes = typesOfField(fieldDefinition(field), types);
    return {
      ...toBaseFieldResponse(field),
      blockTypes,
      blockTypeFingerprint: fingerprintOfTypes(blockTypes),
    };
  });
}

/** As `toFieldResponses`, for one. */
export async function toFieldResponse(sql: Queryable, field: Field): Promise<FieldResponse> {
  const [described] = await toFieldResponses(sql, [field]);
  return described ?? toBaseFieldResponse(field);
}
