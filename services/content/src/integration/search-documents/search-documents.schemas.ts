import { rowId, storableText } from '@quire/operation';
import { z } from 'zod';

const maxIds = 200;
const maxPage = 500;

export const searchDocumentsBody = z.union([
  z.strictObject({
    collection: storableText(),
    ids: z.array(rowId).max(maxIds),
    /** Whether all entries are to be counted. */
    counts: z.boolean().default(false),
  }),
  z.strictObject({
    collection: storableText(),
    after: rowId.nullable(),
    /** The page may have fewer, where more would be too much at once; it is empty only where nothing follows. */
    limit: z.number().int().min(1).max(maxPage),
  }),
]);

export type SearchDocumentsRequest = z.output<typeof searchDocumentsBody>;

export const searchDocumentsResponse = z.object({
  /** Greater than that of any answer whose entries were read before; see the operation. */
  version: z.number().int(),
  collection: z.object({
    id: z.string(),
    slug: z.string(),
    hidden: z.boolean(),
    titleField: z.string().nullable(),
    fields: z.array(z.string()),
    fingerprint: z.string(),
  }),
  documents: z.array(
    z.object({
      id: z.string(),
      locale: z.string(),
      views: z.array(
        z.object({
          statuses: z.array(z.enum(['published', 'draft', 'scheduled', 'all'])),
          slug: z.string().nullable(),
          title: z.string().nullable(),
          fields: z.record(z.string(), z.string()),
        }),
      ),
    }),
  ),
  /** Of the ids that were asked for, those that are in the trash, or not there. */
  removed: z.array(z.string()),
  /** Of the ids that were asked for, those that are to be asked for again, because all at once would be too much. */
  left: z.array(z.string()),
  /**
   * How many there are that are not in the trash, and how many of them are published, where that was asked
   * for.
   */
  counts: z.object({ all: z.number().int(), published: z.number().int() }).optional(),
});

export type SearchDocuments = z.output<typeof searchDocumentsResponse>;
