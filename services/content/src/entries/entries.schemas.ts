import { memberTexts } from '@quire/values';
import { instant, pageQuery, rowId, storableText } from '@quire/operation';
import { z } from 'zod';
import { bylineSummary } from '../bylines/credits/index.js';

const maxFilters = 20;
const maxOperands = 50;

/** A query parameter with JSON text of a given shape. */
function jsonText<Schema extends z.ZodType>(schema: Schema, maxLength: number) {
  return (
    z
      .string()
      .max(maxLength)
      .transform((text, context): unknown => {
        try {
          return JSON.parse(text);
        } catch {
          context.addIssue({ code: 'custom', message: 'is not JSON' });
          return z.NEVER;
        }
      })
      // z.record drops this key silently: a dropped filter would match too much.
      .refine(
        (value) => !Object.hasOwn(Object(value) as object, '__proto__'),
        "must not have the key '__proto__'",
      )
      .pipe(schema)
  );
}

const queryFlag = z.enum(['1', '0', 'true', 'false']).transform((word) => word === '1' || word === 'true');
const bareDate = /^\d{4}-\d{2}-\d{2}$/;

/** A date or an instant; a bare date means the start or the end of that day in UTC. */
function dateBound(timeOfBareDate: string) {
  return z
    .string()
    .transform((text) => (bareDate.test(text) ? `${text}T${timeOfBareDate}Z` : text))
    .pipe(instant);
}

const scalar = z.union([z.string().max(2048), z.number(), z.boolean()]);
const bound = z.union([z.string().max(2048), z.number()]).optional();
const fieldFilter = z.union([
  scalar,
  z.null(),
  z.strictObject({ in: z.array(scalar).max(maxOperands) }),
  z
    .strictObject({ gt: bound, gte: bound, lt: bound, lte: bound })
    .refine(
      (bounds) => Object.values(bounds).some((value) => value !== undefined),
      'needs at least one bound',
    ),
]);
/** A condition on an indexed field: equality, null, one of several values, or bounds. */
export type FieldFilter = z.output<typeof fieldFilter>;

/** Conditions by field slug. */
export type FieldFilters = Record<string, FieldFilter>;

const fieldFilters = z
  .record(
    z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/)
      .max(128),
    fieldFilter,
  )
  .refine((filters) => Object.keys(filters).length <= maxFilters, `takes at most ${maxFilters} fields`)
  .refine((filters) => countOperands(filters) <= maxOperands, `takes at most ${maxOperands} values`);

const termFilters = z
  .record(
    storableText(z.string().min(1).max(64)),
    z
      .array(storableText(z.string().min(1).max(1000)))
      .min(1)
      .max(maxOperands),
  )
  .refine((filters) => Object.keys(filters).length <= maxFilters, `takes at most ${maxFilters} taxonomies`);

function countOperands(filters: FieldFilters): number {
  return Object.values(filters).reduce<number>((count, filter) => {
    if (filter === null || typeof filter !== 'object') return count + 1;
    return (
      count +
      ('in' in filter
        ? filter.in.length
        : Object.values(filter).filter((value) => value !== undefined).length)
    );
  }, 0);
}

export const listQuery = pageQuery.extend({
  status: storableText(z.string().max(64)).optional(),
  orderBy: z.string().max(128).default('createdAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
  locale: z.string().max(64).optional(),
  q: storableText(z.string().trim().min(1).max(200)).optional(),
  authorId: rowId.optional(),
  dateField: z.enum(['createdAt', 'updatedAt', 'publishedAt']).optional(),
  dateFrom: dateBound('00:00:00.000').optional(),
  dateTo: dateBound('23:59:59.999').optional(),
  bylines: storableText(z.string().min(1).max(2000))
    .transform((text) =>
      text === 'none'
        ? text
        : text
            .split(',')
            .map((id) => id.trim())
            .filter(Boolean),
    )
    .refine((ids) => ids === 'none' || (ids.length >= 1 && ids.length <= 25), 'takes 1 to 25 ids')
    .transform((ids) => ids as 'none' | string[])
    .optional(),
  includeInferredBylines: queryFlag.default(false),
  fieldFilters: jsonText(fieldFilters, 8192).optional(),
  termFilters: jsonText(termFilters, 8192).optional(),
});

export type ListQuery = z.output<typeof listQuery>;

export const collectionParams = z.object({ collection: storableText() });
export const entryParams = collectionParams.extend({ id: storableText(z.string().min(1).max(512)) });
export const addressQuery = z.object({ locale: z.string().max(64).optional() });

const data = z.record(z.string(), z.unknown());
const locale = z.string().max(64);
const credit = z.object({
  bylineId: rowId,
  roleLabel: storableText(z.string().max(200)).nullish(),
});
const credits = z.array(credit).max(100);
const seo = z.object({
  title: storableText(z.string().max(200)).nullish(),
  description: storableText(z.string().max(500)).nullish(),
  image: storableText(z.string().max(2048)).nullish(),
  canonical: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullish(),
  noIndex: z.boolean().optional(),
});
/** Selections by field slug: entry ids in display order (spec document 1, Limits). */
const references = z.record(z.string().max(63), z.array(rowId).max(1000));
const maxTaxonomies = 100;
const taxonomies = z
  .record(storableText(z.string().max(64)), z.array(storableText(z.string().min(1).max(1000))).max(1_000))
  .refine((named) => Object.keys(named).length <= maxTaxonomies, `takes at most ${maxTaxonomies} taxonomies`);
const rev = z.string().max(200).optional();
const slug = z.string().max(1000).nullish();
const overrideLock = z.boolean().optional();
/** `overrideLock` in the query of a request without a body. */
export const overrideLockFlag = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .optional();

export const createBody = z.object({
  data,
  slug,
  status: z.literal('draft').optional(),
  bylines: credits.optional(),
  locale: locale.optional(),
  translationOf: rowId.optional(),
  seo: seo.optional(),
  taxonomies: taxonomies.optional(),
  publishedAt: instant.nullish(),
  createdAt: instant.nullish(),
  references: references.optional(),
  overrideLock,
});

export const updateBody = z.object({
  data: data.optional(),
  slug,
  status: z.literal('draft').optional(),
  authorId: rowId.nullish(),
  bylines: credits.optional(),
  _rev: rev,
  skipRevision: z.boolean().optional(),
  seo: seo.optional(),
  taxonomies: taxonomies.optional(),
  publishedAt: instant.nullish(),
  references: references.optional(),
  overrideLock,
});

export const transitionBody = z.object({ _rev: rev, overrideLock });
export const publishBody = transitionBody.extend({ publishedAt: instant.optional() });
export const scheduleBody = transitionBody.extend({ scheduledAt: instant });

const values = z.record(z.string(), z.unknown());
export const contentItem = z
  .object({
    id: z.string(),
    type: z.string(),
    slug: z.string().nullable(),
    status: z.string(),
    data: values,
    authorId: z.string().nullable(),
    primaryBylineId: z.string().nullable(),
    byline: bylineSummary.nullable().optional(),
    bylines: z
      .array(
        z.object({
          byline: bylineSummary,
          sortOrder: z.number().int(),
          roleLabel: z.string().nullable(),
          source: z.enum(['explicit', 'inferred']).optional(),
        }),
      )
      .optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
    publishedAt: z.string().nullable(),
    scheduledAt: z.string().nullable(),
    liveRevisionId: z.string().nullable(),
    draftRevisionId: z.string().nullable().optional(),
    version: z.number().int(),
    locale: z.string().nullable(),
    translationGroup: z.string().nullable(),
    seo: z
      .object({
        title: z.string().nullable(),
        description: z.string().nullable(),
        image: z.string().nullable(),
        canonical: z.string().nullable(),
        noIndex: z.boolean(),
      })
      .optional(),
    liveData: values.optional(),
    draftSlug: z.string().optional(),
  })
  .meta({ id: 'ContentItem' });

export const trashedItem = contentItem.extend({ deletedAt: z.string() }).meta({ id: 'TrashedContentItem' });

export const entryResponseSchema = z.object({ item: contentItem, _rev: z.string() });

export const entryRefSchema = z
  .object({
    id: z.string(),
    slug: z.string().nullable(),
    collection: z.string(),
    title: z.string().nullable(),
    locale: z.string().nullable(),
    translationGroup: z.string().nullable(),
    sortOrder: z.number().int().optional(),
  })
  .meta({ id: 'EntryRef' });

/** A single read has the first page of each selection (decision 7). */
export const singleReadSchema = entryResponseSchema.extend({
  references: z.record(
    z.string(),
    z.object({ items: z.array(entryRefSchema), nextCursor: z.string().optional() }),
  ),
});

/** @returns the JSON text of a value in `data`, or undefined for a field that was not submitted. */
export type SubmittedText = (fieldSlug: string) => string | undefined;

/** Reads the texts of values from a body, at the first use: only json fields need them. */
export function submittedTexts(bodyText: string | undefined): SubmittedText | undefined {
  if (bodyText === undefined) return undefined;
  let texts: ReadonlyMap<string, string> | undefined;
  return (fieldSlug) => (texts ??= memberTexts(bodyText, 'data')).get(fieldSlug);
}
