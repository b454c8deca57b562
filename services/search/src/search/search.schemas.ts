import { isSlug } from '@quire/content-model';
import { storableText } from '@quire/operation';
import { z } from 'zod';

/** Malformed names of collections are ignored like unknown ones. */
const collectionNames = z
  .string()
  .transform((list) => [...new Set(list.split(',').map((name) => name.trim()))].filter(isSlug));

const sharedQuery = {
  q: z.string().min(1),
  collections: collectionNames.optional(),
  locale: storableText(z.string().min(1).max(64)).optional(),
};

export const searchQuery = z.object({
  ...sharedQuery,
  status: z.string().default('published'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(2048).optional(),
});

export const suggestQuery = z.object({
  ...sharedQuery,
  limit: z.coerce.number().int().min(1).max(20).default(5),
});

export const searchResponse = z.object({
  items: z.array(
    z
      .object({
        collection: z.string(),
        id: z.string(),
        slug: z.string().nullable(),
        locale: z.string(),
        title: z.string().optional(),
        /** HTML: the escaped text around the matches, with `<mark>` as the only tag. */
        snippet: z.string().optional(),
        score: z.number(),
      })
      .meta({ id: 'SearchHit' }),
  ),
  nextCursor: z.string().optional(),
});

export const suggestResponse = z.object({
  items: z.array(
    z
      .object({ collection: z.string(), id: z.string(), slug: z.string().nullable(), title: z.string() })
      .meta({ id: 'SearchSuggestion' }),
  ),
});

export type SearchQuery = z.output<typeof searchQuery>;
export type SearchResults = z.output<typeof searchResponse>;
export type SuggestQuery = z.output<typeof suggestQuery>;
export type Suggestions = z.output<typeof suggestResponse>;
