import { storableText } from '@quire/operation';
import { isSlug } from '@quire/content-model';
import { z } from 'zod';
import { bylineFieldTypes } from './byline-field.entity.js';

const maxOptions = 200;
const maxFields = 1_000;
const maxSortOrder = 2_147_483_647;

/** System properties of bylines, and the last segment of the reorder route (contract 2). */
const reservedSlugs: ReadonlySet<string> = new Set([
  'id',
  'slug',
  'display_name',
  'bio',
  'avatar_media_id',
  'website_url',
  'user_id',
  'is_guest',
  'locale',
  'translation_group',
  'created_at',
  'updated_at',
  'reorder',
]);

const label = storableText(z.string().max(200)).refine((value) => value.trim() !== '', 'must not be blank');
const sortOrder = z.number().int().min(0).max(maxSortOrder);
const options = z
  .array(storableText(z.string().min(1).max(200)))
  .min(1)
  .max(maxOptions)
  .refine((list) => new Set(list).size === list.length, 'must not name a choice twice');
const validation = z.strictObject({ options: options.optional() }).nullable();

export const createBylineFieldBody = z.strictObject({
  slug: z
    .string()
    .refine(isSlug, 'must be lower-case letters, digits and _, at most 63, beginning with a letter')
    .refine((slug) => !reservedSlugs.has(slug), 'is reserved'),
  label,
  /** Any text: an unknown type has its own error code, INVALID_TYPE. */
  type: z.string().max(63),
  required: z.boolean().default(false),
  translatable: z.boolean().default(true),
  validation: validation.default(null),
  sortOrder: sortOrder.optional(),
});

export const updateBylineFieldBody = z.strictObject({
  label: label.optional(),
  required: z.boolean().optional(),
  translatable: z.boolean().optional(),
  validation: validation.optional(),
  sortOrder: sortOrder.optional(),
});

export const bylineFieldParams = z.object({ slug: storableText(z.string().max(512)) });
export const reorderBylineFieldsBody = z.strictObject({
  slugs: z.array(storableText(z.string().max(63))).max(maxFields),
});

export const bylineFieldSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    label: z.string(),
    type: z.enum(bylineFieldTypes),
    required: z.boolean(),
    translatable: z.boolean(),
    validation: z.object({ options: z.array(z.string()).optional() }).nullable(),
    sortOrder: z.number().int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'BylineField' });

export const bylineFieldUsageSchema = z.object({
  translatableValueCount: z.number().int(),
  groupValueCount: z.number().int(),
  totalAffectedRows: z.number().int(),
});

export type BylineFieldResponse = z.output<typeof bylineFieldSchema>;
export type BylineFieldInput = z.output<typeof createBylineFieldBody>;
export type BylineFieldUpdate = z.output<typeof updateBylineFieldBody>;
export type BylineFieldUsage = z.output<typeof bylineFieldUsageSchema>;
