import { maxSlugLength, slugPattern } from '@quire/content-model';
import { storableText } from '@quire/operation';
import { z } from 'zod';

const slug = z.string().regex(slugPattern).max(maxSlugLength);
const label = storableText(
  z
    .string()
    .max(200)
    .refine((text) => text.trim() !== '', 'must not be blank'),
);
const limit = z.number().int().min(1).max(1_000_000).nullish();

const settings = {
  parentLabelSingular: label.nullish(),
  childLabelSingular: label.nullish(),
  maxChildrenPerParent: limit,
  maxParentsPerChild: limit,
};

export const createRelationBody = z.object({
  ...settings,
  slug,
  parentCollection: slug,
  childCollection: slug,
  parentLabel: label,
  childLabel: label,
});

export const updateRelationBody = z
  .object({ ...settings, parentLabel: label.optional(), childLabel: label.optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'change something');

export const relationParams = z.object({
  id: storableText(z.string().max(200)),
});

export const relationSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    parentCollection: z.string(),
    childCollection: z.string(),
    parentLabel: z.string(),
    parentLabelSingular: z.string().nullable(),
    childLabel: z.string(),
    childLabelSingular: z.string().nullable(),
    maxChildrenPerParent: z.number().int().nullable(),
    maxParentsPerChild: z.number().int().nullable(),
    boundFields: z.array(
      z.object({ collectionSlug: z.string(), fieldSlug: z.string(), side: z.enum(['parent', 'child']) }),
    ),
    linkCount: z.number().int(),
  })
  .meta({ id: 'Relation' });

export type RelationInput = z.output<typeof createRelationBody>;
export type RelationUpdate = z.output<typeof updateRelationBody>;
