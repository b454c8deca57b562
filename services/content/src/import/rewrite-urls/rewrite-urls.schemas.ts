import { storableText } from '@quire/operation';
import { isAllowedUrl } from '@quire/values';
import { z } from 'zod';

const maxUrlLength = 4_096;
const maxCollections = 1_000;

const formerUrl = z.string().min(1).max(maxUrlLength);
/** Links and sources of pages get it, so an unsafe scheme must not come in this way. */
const newUrl = storableText(z.string().max(maxUrlLength)).refine(
  isAllowedUrl,
  'must be an http(s), mailto or tel link, a path or a fragment',
);

export const rewriteUrlsBody = z.object({
  /** New addresses by former ones. */
  urlMap: z.record(formerUrl, newUrl),
  /** All collections, and the parts of the site outside of entries, unless given. */
  collections: z
    .array(storableText(z.string().min(1).max(63)))
    .max(maxCollections)
    .optional(),
});

export const rewrittenSchema = z.object({
  /** Number of entries that were written. */
  updated: z.number().int(),
  /** The same by the slug of the collection. */
  byCollection: z.record(z.string(), z.number().int()),
  /** Number of addresses that were replaced, outside of entries too. */
  urlsRewritten: z.number().int(),
  errors: z.array(z.object({ collection: z.string(), id: z.string(), error: z.string() })),
});

export type RewriteUrlsInput = z.output<typeof rewriteUrlsBody>;
export type RewrittenUrls = z.output<typeof rewrittenSchema>;
