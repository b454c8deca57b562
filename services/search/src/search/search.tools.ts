import { Inject, Injectable } from '@nestjs/common';
import { isSlug } from '@quire/content-model';
import type { Context } from '@quire/context';
import { cursorArgument, declareTool, limitArgument, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { SearchDeps } from '../search-deps.js';
import { find } from './search.controller.js';
import { search } from './search.operations.js';
import { searchQuery } from './search.schemas.js';

const maxCollectionNames = 1_000;

const searchContent = declareTool(find, {
  name: 'search',
  title: 'Search Content',
  description:
    'Finds published entries that mention words, in all searchable collections, best hits first; drafts are never found. snippet is escaped HTML with <mark> around the matches. Read a hit with content_get.',
  annotations: { readOnlyHint: true },
  input: z.object({
    query: z.string().describe('Words to find; "quoted words" match as a phrase. There is no other syntax'),
    collections: z
      .array(z.string())
      .max(maxCollectionNames)
      .optional()
      .describe('Slugs of the collections to search; all if omitted'),
    locale: searchQuery.shape.locale.describe('Only entries of this locale; all if omitted'),
    limit: limitArgument(50, 20),
    cursor: cursorArgument,
  }),
});

/** The tool of the search (spec document 2, Search; contract 8). */
@Injectable()
export class SearchTools {
  constructor(@Inject(SearchDeps) private readonly deps: SearchDeps) {}

  @Tool(searchContent)
  search(ctx: Context, { query: q, collections, ...page }: ToolInputOf<typeof searchContent>) {
    const known = collections && [...new Set(collections)].filter(isSlug);
    return search(ctx, this.deps, { q, collections: known, status: 'published', ...page });
  }
}
