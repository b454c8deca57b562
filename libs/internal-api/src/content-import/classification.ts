import { z } from 'zod';
import { declareInternalOperation } from '../declare-internal-operation.js';
import { count, importRun, maxImportBodyBytes, maxImportedItems, slug, text, warning } from './schemas.js';

export const importBylines = declareInternalOperation('content', {
  id: 'importBylines',
  path: 'import/bylines',
  summary: 'Create or reuse the bylines of authors',
  isBlockedInReadOnlyMode: true,
  body: importRun.extend({
    locale: z.string(),
    authors: z
      .array(
        z.object({
          /** Login at the source, which identifies the author. */
          login: text,
          displayName: text,
          /** The user of the site whose byline it is; null for a guest. */
          userId: z.string().nullable(),
        }),
      )
      .max(maxImportedItems),
  }),
  response: z.object({ bylines: z.array(z.object({ login: z.string(), bylineId: z.string() })) }),
});

export const importTerms = declareInternalOperation('content', {
  id: 'importTerms',
  path: 'import/terms',
  summary: 'Create taxonomies and terms that are missing, or link terms to their parents',
  isBlockedInReadOnlyMode: true,
  maxBodyBytes: maxImportBodyBytes,
  body: importRun.extend({
    locale: z.string(),
    taxonomies: z
      .array(
        z.object({
          name: text,
          label: text,
          hierarchical: z.boolean(),
          /** Collections that the taxonomy must have; added when they are missing. */
          collections: z.array(slug),
        }),
      )
      .max(maxImportedItems),
    terms: z
      .array(
        z.object({
          taxonomy: text,
          slug,
          label: text,
          description: text.nullable(),
          parentSlug: slug.nullable(),
        }),
      )
      .max(maxImportedItems),
    /** `create` ignores parents; `link` sets them, when every term exists. */
    step: z.enum(['create', 'link']),
  }),
  response: z.object({
    created: z.record(z.string(), count),
    reused: z.record(z.string(), count),
    warnings: z.array(warning.extend({ taxonomy: z.string(), slug: z.string() })),
  }),
});
