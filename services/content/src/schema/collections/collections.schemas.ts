import { isSlug } from '@quire/content-model';
import { sitePathProblem } from '@quire/values';
import { storableText } from '@quire/operation';
import { z } from 'zod';
import { maxSortOrder } from '../fields/field-rules.js';
import { fieldSchema } from '../fields/fields.schemas.js';

const text = (maxLength: number) => storableText(z.string().max(maxLength));
const label = text(200).refine((value) => value.trim() !== '', 'must not be blank');
const slug = z.string();
const optionalText = text(2_000).nullish();

const supports = z
  .array(z.enum(['drafts', 'revisions', 'preview', 'scheduling', 'search', 'seo']))
  .transform((list) => [...new Set(list)]);
const source = z
  .string()
  .max(200)
  .regex(/^(template:.+|import:.+|manual|discovered|seed)$/);
const placeholder = /\{[a-zA-Z_][a-zA-Z0-9_]*\}/g;
/** A path of the site after its placeholders are replaced (contract 14): redirects store such paths. */
const urlPattern = text(500).superRefine((pattern, context) => {
  const path = pattern.replace(placeholder, 'x');
  const problem = /[{}]/.test(path) ? 'must be a path with {name} placeholders' : sitePathProblem(path);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
/** "" clears the group. */
const group = text(200)
  .transform((value) => value.trim() || null)
  .nullish();

const settings = {
  labelSingular: optionalText,
  description: optionalText,
  icon: optionalText,
  admin: z
    .object({ listColumns: z.array(slug.refine(isSlug, 'must be a field slug')).max(4).optional() })
    .nullish(),
  urlPattern: urlPattern.nullish(),
  sortOrder: z.number().int().min(-maxSortOrder).max(maxSortOrder).nullish(),
  group,
};

export const createCollectionBody = z.object({
  ...settings,
  slug,
  label,
  supports: supports.default(['drafts', 'revisions']),
  source: source.default('manual'),
  routable: z.boolean().default(true),
  hasSeo: z.boolean().optional(),
  hidden: z.boolean().default(false),
  editLocking: z.boolean().default(true),
});

export const updateCollectionBody = z.object({
  ...settings,
  label: label.optional(),
  supports: supports.optional(),
  routable: z.boolean().optional(),
  hasSeo: z.boolean().optional(),
  hidden: z.boolean().optional(),
  editLocking: z.boolean().optional(),
  commentsEnabled: z.boolean().optional(),
  commentsModeration: z.enum(['all', 'first_time', 'none']).optional(),
  commentsClosedAfterDays: z.number().int().min(0).max(1_000_000).optional(),
  commentsAutoApproveUsers: z.boolean().optional(),
  titleField: slug.nullish(),
  dateField: slug.nullish(),
});

export const collectionParams = z.object({ slug: storableText(z.string()) });
export const reorderCollectionsBody = z.object({ slugs: z.array(z.string()).max(1_000) });

export const collectionSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    label: z.string(),
    labelSingular: z.string().nullable(),
    description: z.string().nullable(),
    icon: z.string().nullable(),
    admin: z.object({ listColumns: z.array(z.string()).optional() }).optional(),
    supports: z.array(z.string()),
    source: z.string().nullable(),
    urlPattern: z.string().nullable(),
    routable: z.boolean(),
    hasSeo: z.boolean(),
    hidden: z.boolean(),
    sortOrder: z.number().int().nullable(),
    titleField: z.string().nullable().optional(),
    dateField: z.string().nullable().optional(),
    commentsEnabled: z.boolean(),
    commentsModeration: z.enum(['all', 'first_time', 'none']),
    commentsClosedAfterDays: z.number().int(),
    commentsAutoApproveUsers: z.boolean(),
    editLocking: z.boolean(),
    group: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
    fields: z.array(fieldSchema).optional(),
  })
  .meta({ id: 'Collection' });

export type CollectionInput = z.output<typeof createCollectionBody>;
export type CollectionUpdate = z.output<typeof updateCollectionBody>;
