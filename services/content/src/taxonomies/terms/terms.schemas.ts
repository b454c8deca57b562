import { givenSlugProblem } from '@quire/content-model';
import { z } from 'zod';
import { boundedText, label, localeCode, rowId, taxonomyParams } from '../definitions/index.js';

const maxDescriptionLength = 10_000;
const maxReorderedTerms = 100;
const maxAssignedTerms = 1_000;

/** A given slug is stored unchanged. */
const slug = z.string().superRefine((value, context) => {
  const problem = givenSlugProblem(value);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
/** A term's id or group id; "" and null mean none. */
const parentId = boundedText(64).nullish();
const description = boundedText(maxDescriptionLength);

export const termParams = taxonomyParams.extend({ slug: boundedText(1_000) });

const flag = z.enum(['true', 'false']);
export const listTermsQuery = z
  .object({
    locale: localeCode.optional(),
    includeCounts: flag.default('true'),
    resolveFallback: flag.default('false'),
  })
  .refine(({ locale, resolveFallback }) => locale !== undefined || resolveFallback === 'false', {
    path: ['resolveFallback'],
    message: 'needs a locale',
  });

export const createTermBody = z.object({
  label,
  slug: slug.optional(),
  parentId,
  description: description.optional(),
  locale: localeCode.optional(),
  translationOf: rowId.optional(),
});

export const updateTermBody = z.object({
  slug: slug.optional(),
  label: label.optional(),
  parentId,
  description: description.optional(),
});

export const reorderTermsBody = z.strictObject({
  parentId: rowId.nullish(),
  ids: z.array(rowId).max(maxReorderedTerms),
});

export const entryTermsBody = z.object({ termIds: z.array(rowId).max(maxAssignedTerms) });

const termProperties = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  label: z.string(),
  parentId: z.string().nullable(),
  description: z.string().optional(),
  locale: z.string(),
  translationGroup: z.string().nullable(),
});

export const termSchema = termProperties.meta({ id: 'Term' });

export const listedTermSchema = termProperties
  .extend({
    count: z.number().int().optional(),
    get children(): z.ZodArray<z.ZodType> {
      return z.array(listedTermSchema);
    },
  })
  .meta({ id: 'TermWithCount' });

export const oneTermSchema = termProperties.extend({
  count: z.number().int(),
  children: z.array(z.object({ id: z.string(), slug: z.string(), label: z.string() })),
});

export const entryTermsSchema = z.object({
  terms: z.array(termProperties.omit({ description: true })),
  unresolved: z.array(
    z.object({
      translationGroup: z.string(),
      availableLocales: z.array(z.string()),
      translations: z.array(z.object({ id: z.string(), slug: z.string(), locale: z.string() })),
    }),
  ),
  entryLocale: z.string(),
  defaultLocale: z.string(),
  implicitDefaultLocale: z.boolean(),
});

export type TermInput = z.output<typeof createTermBody>;
export type TermUpdate = z.output<typeof updateTermBody>;
export type ListTermsQuery = z.output<typeof listTermsQuery>;
export type TermOrder = z.output<typeof reorderTermsBody>;
