import { pageQuery, storableText } from '@quire/operation';
import { slugPattern } from '@quire/content-model';
import { isHttpUrl } from '@quire/values';
import { z } from 'zod';
import { bylineSummary } from './credits/index.js';

const rowId = storableText(z.string().min(1).max(64));
const localeCode = z.string().max(64);
const slug = z
  .string()
  .max(200)
  .regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and -, beginning with a letter');
const displayName = storableText(z.string().max(200)).refine(
  (value) => value.trim() !== '',
  'must not be blank',
);
const bio = storableText(z.string().max(10_000)).nullish();
const avatarMediaId = rowId.nullish();
const websiteUrl = storableText(z.string().max(2_048))
  .refine(isHttpUrl, 'must be an http or https URL')
  .nullish();
/** Limits of any value; `validateCustomValues` applies the rules of its field. */
const customValue = z.union([storableText(z.string().max(10_000)), z.boolean(), z.null()]);
const customFields = z.record(
  z.string().max(63).regex(slugPattern, 'is not a byline field slug'),
  customValue,
);

const optionalProperties = {
  bio,
  avatarMediaId,
  websiteUrl,
  userId: rowId.nullish(),
  isGuest: z.boolean().optional(),
  customFields: customFields.optional(),
};

export const createBylineBody = z.object({
  ...optionalProperties,
  slug,
  displayName,
  locale: localeCode.optional(),
  translationOf: rowId.optional(),
});

export const updateBylineBody = z.object({
  ...optionalProperties,
  slug: slug.optional(),
  displayName: displayName.optional(),
});

export const translateBylineBody = z.object({
  locale: localeCode,
  slug: slug.optional(),
  displayName: displayName.optional(),
  bio,
  avatarMediaId,
  websiteUrl,
});

const flag = z.enum(['true', 'false']).transform((word) => word === 'true');

export const listBylinesQuery = pageQuery.extend({
  search: storableText(z.string().trim().max(200)).optional(),
  isGuest: flag.optional(),
  userId: rowId.optional(),
  locale: localeCode.optional(),
});

export const bylineParams = z.object({ id: storableText(z.string().min(1).max(64)) });
export const bylineItems = z.object({ items: z.array(bylineSummary) });
export const bylinePage = bylineItems.extend({ nextCursor: z.string().optional() });

export type CustomFieldsInput = z.output<typeof customFields>;
export type BylineInput = z.output<typeof createBylineBody>;
export type BylineUpdate = z.output<typeof updateBylineBody>;
export type BylineTranslationInput = z.output<typeof translateBylineBody>;
export type BylineQuery = z.output<typeof listBylinesQuery>;
