import { fieldTypes } from '@quire/content-model';
import { storableText } from '@quire/operation';
import { z } from 'zod';
import { blockTypeSchema } from '../block-types/block-types.schemas.js';
import { maxSortOrder } from './field-rules.js';

const text = (maxLength: number) => storableText(z.string().max(maxLength));
const label = text(200).refine((value) => value.trim() !== '', 'must not be blank');
const slug = z.string();

/** Only types: the content model checks the rules of a field. */
const fieldSettings = {
  label,
  type: z.enum(fieldTypes),
  required: z.boolean(),
  unique: z.boolean(),
  searchable: z.boolean(),
  indexed: z.boolean(),
  translatable: z.boolean(),
  defaultValue: z.unknown(),
  validation: z.record(z.string(), z.unknown()).nullable(),
  widget: text(200).nullable(),
  options: z.record(z.string(), z.unknown()).nullable(),
  sortOrder: z.number().int().min(0).max(maxSortOrder),
};

export const updateFieldBody = z.object(fieldSettings).partial();
export const createFieldBody = updateFieldBody.extend({
  slug,
  label: fieldSettings.label,
  type: fieldSettings.type,
});

const slugParam = storableText(z.string());
export const fieldParams = z.object({ slug: slugParam, fieldSlug: slugParam });
export const reorderFieldsBody = z.object({ fieldSlugs: z.array(z.string()).max(1_000) });

export const fieldSchema = z
  .object({
    id: z.string(),
    collectionId: z.string(),
    slug: z.string(),
    label: z.string(),
    type: z.enum(fieldTypes),
    columnType: z.enum(['TEXT', 'REAL', 'INTEGER', 'JSON']),
    required: z.boolean(),
    unique: z.boolean(),
    defaultValue: z.unknown().optional(),
    validation: z.record(z.string(), z.unknown()).nullable(),
    widget: z.string().nullable(),
    options: z.record(z.string(), z.unknown()).nullable(),
    sortOrder: z.number().int(),
    searchable: z.boolean(),
    indexed: z.boolean(),
    translatable: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
    blockTypes: z.array(blockTypeSchema).optional(),
    blockTypeFingerprint: z.string().optional(),
  })
  .meta({ id: 'Field' });

export type FieldInput = z.output<typeof createFieldBody>;
export type FieldUpdate = z.output<typeof updateFieldBody>;
