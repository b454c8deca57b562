import { instant, pageQuery, storableText } from '@quire/operation';
import { z } from 'zod';

export const listQuery = pageQuery.extend({
  search: storableText(z.string().trim().min(1).max(200)).optional(),
});

export const summaryQuery = z.object({ limit: z.coerce.number().int().min(1).max(100).default(50) });

export const pruneBody = z.object({ olderThan: instant });

const notFoundSchema = z
  .object({
    id: z.string(),
    path: z.string(),
    referrer: z.string().nullable(),
    userAgent: z.string().nullable(),
    ip: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'NotFoundEntry' });

export const notFoundListSchema = z.object({
  items: z.array(notFoundSchema),
  nextCursor: z.string().optional(),
});

export const summarySchema = z
  .object({
    path: z.string(),
    count: z.number().int(),
    lastSeen: z.string(),
    topReferrer: z.string().nullable(),
  })
  .meta({ id: 'NotFoundSummary' });

export const deletedSchema = z.object({ deleted: z.number().int() });

export type NotFoundPage = z.output<typeof notFoundListSchema>;
export type NotFoundSummary = z.output<typeof summarySchema>;
export type NotFoundQuery = z.output<typeof listQuery>;
