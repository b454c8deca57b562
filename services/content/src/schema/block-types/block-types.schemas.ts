import { blockFieldTypes, maxSlugLength, slugPattern, type FieldType } from '@quire/content-model';
import { storableText } from '@quire/operation';
import { z } from 'zod';

const maxFields = 100;
const text = (limit: number) => storableText(z.string().max(limit));
const label = text(200).refine((value) => value.trim() !== '', 'must not be blank');
const slug = z.string().regex(slugPattern).max(maxSlugLength);
const count = z.number().int().min(0);
const type = z.enum([...blockFieldTypes] as [FieldType, ...FieldType[]]);

/** Only shapes: the content model decides which rule fits which type. */
const validation = z.strictObject({
  min: z.number().optional(),
  max: z.number().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  pattern: z.string().optional(),
  options: z.array(z.string()).optional(),
  subFields: z.array(z.record(z.string(), z.unknown())).optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  allowedMimeTypes: z.array(z.string()).optional(),
});

const blockField = z.strictObject({
  slug,
  label,
  type,
  required: z.boolean().optional(),
  defaultValue: z.unknown().optional(),
  validation: validation.optional(),
  options: z.strictObject({ darkVariant: z.boolean().optional() }).optional(),
});

const fields = z.array(blockField).max(maxFields);
const fingerprint = z.string().min(1).max(200);

export const createBlockTypeBody = z.strictObject({
  slug,
  label,
  description: text(2_000).optional(),
  icon: text(200).optional(),
  category: text(200).optional(),
  fields,
});

export const updateBlockTypeBody = z.strictObject({
  /** Of the active version as the client read it. */
  expectedFingerprint: fingerprint,
  label: label.optional(),
  description: text(2_000).nullish(),
  icon: text(200).nullish(),
  category: text(200).nullish(),
  fields: fields.optional(),
  /** Allows a new version when stored blocks may not fit the changed fields. */
  breaking: z.boolean().optional(),
});

export const activateVersionBody = z.strictObject({ expectedFingerprint: fingerprint });
export const blockTypeParams = z.object({ slug: text(200) });
export const versionParams = blockTypeParams.extend({ version: z.string().max(20) });

export const blockTypeSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    label: z.string(),
    description: z.string().optional(),
    icon: z.string().optional(),
    category: z.string().optional(),
    currentVersion: z.number().int(),
    source: z.enum(['user', 'seed']),
    versions: z.array(
      z.object({
        id: z.string(),
        blockTypeId: z.string(),
        version: z.number().int(),
        fields: z.array(z.record(z.string(), z.unknown())),
        fingerprint: z.string(),
        active: z.boolean(),
        createdAt: z.string(),
        updatedAt: z.string(),
      }),
    ),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'BlockType' });

export type BlockTypeInput = z.output<typeof createBlockTypeBody>;
export type BlockTypeUpdate = z.output<typeof updateBlockTypeBody>;
