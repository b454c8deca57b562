import { isSlug } from '@quire/content-model';
import { storableText } from '@quire/operation';
import { z } from 'zod';

const maxCollections = 100;

/** Text that PostgreSQL can store and compare. */
export const boundedText = (maxLength: number) => storableText(z.string().max(maxLength));
/** A display name: not blank. */
export const label = boundedText(200).refine((value) => value.trim() !== '', 'must not be blank');
export const localeCode = z.string().max(64);
/** An id of a row or of a translation group. */
export const rowId = boundedText(64).min(1);

const slug = z
  .string()
  .refine(isSlug, 'must be lower-case letters, digits and _, at most 63, beginning with a letter');
/** Duplicates are removed. */
const collections = z
  .array(z.string().refine(isSlug, 'is not a collection slug'))
  .max(maxCollections)
  .transform((slugs) => [...new Set(slugs)]);

export const taxonomyParams = z.object({ name: boundedText(100) });
export const localeQuery = z.object({ locale: localeCode.optional() });

export const createTaxonomyBody = z.object({
  name: slug,
  label,
  labelSingular: label.optional(),
  hierarchical: z.boolean().optional(),
  collections: collections.optional(),
  locale: localeCode.optional(),
  translationOf: rowId.optional(),
});

export const updateTaxonomyBody = z.strictObject({
  label: label.optional(),
  labelSingular: label.nullish(),
  hierarchical: z.boolean().optional(),
  collections: collections.optional(),
});

export const taxonomySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    label: z.string(),
    labelSingular: z.string().optional(),
    hierarchical: z.boolean(),
    collections: z.array(z.string()),
    locale: z.string(),
    translationGroup: z.string().nullable(),
  })
  .meta({ id: 'TaxonomyDef' });

export type TaxonomyInput = z.output<typeof createTaxonomyBody>;
export type TaxonomyUpdate = z.output<typeof updateTaxonomyBody>;
