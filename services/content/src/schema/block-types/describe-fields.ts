import type { Sql } from '@quire/database';
import { fieldDefinition } from '../definitions/collection-definition.js';
import type { Field } from '../field.entity.js';
import { fieldAnswer, type FieldAnswer } from '../schema-answer.js';
import { allBlockTypes, type BlockType } from './block-type.js';
import { fingerprintOfTypes, typesOfField } from './block-type-rules.js';

/** A field with, when it holds blocks, the types it may hold and a fingerprint of them (contract 14). */
export type DescribedField = FieldAnswer & { blockTypes?: BlockType[]; blockTypeFingerprint?: string };

/** Fields as the API answers them. Block types are read only where a field holds blocks. */
export async function describeFields(sql: Sql, fields: readonly Field[]): Promise<DescribedField[]> {
  const types = fields.some(({ type }) => type === 'blocks') ? await allBlockTypes(sql) : [];
  return fields.map((field) => {
    if (field.type !== 'blocks') return fieldAnswer(field);
    const blockTypes = typesOfField(fieldDefinition(field), types);
    return { ...fieldAnswer(field), blockTypes, blockTypeFingerprint: fingerprintOfTypes(blockTypes) };
  });
}

/** As `describeFields`, for one. */
export async function describeField(sql: Sql, field: Field): Promise<DescribedField> {
  const [described] = await describeFields(sql, [field]);
  return described ?? fieldAnswer(field);
}
