import { pageQuery, storableText } from '@quire/operation';
import { z } from 'zod';
import { blockList, storedBlocks } from '../../rich-text/index.js';
import { sectionSources } from './section.entity.js';

const maxKeywords = 50;

const slug = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[a-z0-9-]+$/, 'must consist of a-z, 0-9 and -');
const title = storableText(z.string().max(500)).refine((value) => value.trim() !== '', 'must not be blank');
const description = storableText(z.string().max(2_000)).nullish();
const keywords = z.array(storableText(z.string().trim().min(1).max(100))).max(maxKeywords);
const mediaId = storableText(z.string().min(1).max(64)).nullish();

export const sectionParams = z.object({ slug: storableText(z.string().max(512)) });

export const listSectionsQuery = pageQuery.extend({
  source: z.enum(sectionSources).optional(),
  search: storableText(z.string().trim().max(200)).optional(),
});

export const createSectionBody = z.object({
  slug,
  title,
  description,
  keywords: keywords.default([]),
  content: blockList,
  previewMediaId: mediaId,
  source: z.enum(['user', 'import']).default('user'),
  themeId: storableText(z.string().min(1).max(200)).nullish(),
});

export const updateSectionBody = z.object({
  slug: slug.optional(),
  title: title.optional(),
  description,
  keywords: keywords.optional(),
  content: blockList.optional(),
  previewMediaId: mediaId,
});

export const sectionSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    keywords: z.array(z.string()),
    content: storedBlocks,
    previewMediaId: z.string().nullable(),
    previewUrl: z.string().optional(),
    source: z.enum(sectionSources),
    themeId: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Section' });

export type SectionResponse = z.output<typeof sectionSchema>;
export type SectionInput = z.output<typeof createSectionBody>;
export type SectionUpdate = z.output<typeof updateSectionBody>;
export type SectionsQuery = z.output<typeof listSectionsQuery>;
