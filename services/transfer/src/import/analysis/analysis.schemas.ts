import { z } from 'zod';

const count = z.number().int();
const fieldStatus = z.object({
  status: z.enum(['compatible', 'missing', 'type_mismatch']),
  existingType: z.string().optional(),
  requiredType: z.string(),
});

const importStatus = z.enum(['ready', 'new_collection', 'add_fields', 'incompatible']);

/** What an export holds, and what an import of it needs (contract 1.2). */
export const analysisSchema = z.object({
  /** The import of this file that has not ended, or failed: `execute` resumes it. */
  importId: z.string().nullable(),
  wxrVersion: z.string(),
  site: z.object({ title: z.string(), url: z.string() }),
  /** By count, descending. */
  postTypes: z.array(
    z.object({
      name: z.string(),
      count,
      suggestedCollection: z.string(),
      status: importStatus,
      requiredFields: z.array(
        z.object({
          slug: z.string(),
          label: z.string(),
          type: z.string(),
          required: z.boolean(),
          searchable: z.boolean().optional(),
        }),
      ),
      schemaStatus: z.object({
        status: importStatus,
        exists: z.boolean(),
        canImport: z.boolean(),
        reason: z.string().optional(),
        fieldStatus: z.record(z.string(), fieldStatus),
      }),
    }),
  ),
  attachments: z.object({
    count,
    items: z.array(
      z.object({
        id: count.optional(),
        title: z.string().optional(),
        url: z.string().optional(),
        filename: z.string().optional(),
        mimeType: z.string().optional(),
        alt: z.string().optional(),
        caption: z.string().optional(),
        width: count.optional(),
        height: count.optional(),
      }),
    ),
    byType: z.object({ image: count, video: count, audio: count, document: count, other: count }),
  }),
  /** Distinct terms. */
  categories: count,
  tags: count,
  customTaxonomies: z.array(
    z.object({ slug: z.string(), termCount: count, sampleTerms: z.array(z.string()) }),
  ),
  navMenus: z.array(z.object({ name: z.string(), label: z.string(), itemCount: count })),
  reusableBlocks: z.array(z.object({ id: count, title: z.string(), slug: z.string() })),
  authors: z.array(
    z.object({
      id: count.optional(),
      login: z.string(),
      email: z.string().optional(),
      displayName: z.string(),
      postCount: count,
    }),
  ),
  customFields: z.array(
    z.object({
      key: z.string(),
      count,
      samples: z.array(z.string()),
      suggestedField: z.string(),
      suggestedType: z.enum(['string', 'number', 'boolean', 'date', 'json']),
      isInternal: z.boolean(),
    }),
  ),
  comments: z.object({ total: count, importable: count }),
  /** Types that are no content. */
  skippedTypes: z.array(z.object({ name: z.string(), count })),
  warnings: z.array(z.object({ code: z.string(), message: z.string(), line: count.optional() })),
});

export type Analysis = z.output<typeof analysisSchema>;
export type AnalysedPostType = Analysis['postTypes'][number];
