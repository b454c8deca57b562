import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, localeArgument, pageArguments, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import * as operations from './entries.declarations.js';
import { getContentTranslations } from './entries.operations.js';
import { listQuery } from './entries.schemas.js';
import { EntryDeps } from './entry-deps.js';
import { address, collection, markdown } from './entry.arguments.js';
import { compareContent } from './operations/compare-content.js';
import { getContent } from './operations/get-content.js';
import { listContent } from './operations/list-content.js';
import { listTrashedContent } from './operations/list-trashed-content.js';

const list = declareTool(operations.listContent, {
  name: 'content_list',
  title: 'List Content',
  description:
    'Lists the entries (posts, articles, pages) of a collection, newest first or filtered by status (drafts, published, scheduled), a page at a time, with their published values. content_get returns staged values, references and _rev.',
  annotations: { readOnlyHint: true },
  input: z.object({
    collection,
    status: z
      .enum(['draft', 'published', 'scheduled'])
      .optional()
      .describe('Only entries of this status; without access to drafts always published'),
    ...pageArguments,
    orderBy: listQuery.shape.orderBy.describe(
      'createdAt, updatedAt, publishedAt, scheduledAt, slug, status, locale, the title or date field, or an indexed field',
    ),
    order: listQuery.shape.order.describe('Direction'),
    locale: localeArgument('Only entries of this locale; all locales if omitted'),
    markdown,
  }),
});

const get = declareTool(operations.getContent, {
  name: 'content_get',
  title: 'Get Content',
  description:
    'Reads one entry (post, article, page) by id or slug, with its _rev, which changes of the entry need. data has the staged values of an entry with a draft, liveData the published ones.',
  annotations: { readOnlyHint: true },
  input: z.object({
    ...address,
    locale: localeArgument('Locale of a slug that several locales have; the default locale first if omitted'),
    markdown,
  }),
});

const compare = declareTool(operations.compareContent, {
  name: 'content_compare',
  title: 'Compare Live vs Draft',
  description:
    'Returns the published and the staged values of an entry, null where it has none, and whether they differ.',
  annotations: { readOnlyHint: true },
  input: z.object(address),
});

const listTrashed = declareTool(operations.listTrashedContent, {
  name: 'content_list_trashed',
  title: 'List Trashed Content',
  description:
    'Lists the trash of a collection, last deleted first. content_restore brings an entry back, content_permanent_delete removes it.',
  annotations: { readOnlyHint: true },
  input: z.object({ collection, ...pageArguments }),
});

const translations = declareTool(operations.getContentTranslations, {
  name: 'content_translations',
  title: 'Get Content Translations',
  description:
    'Lists the translations of an entry, the languages in which it exists: id, locale, slug and status of each.',
  annotations: { readOnlyHint: true },
  input: z.object(address),
});

/** Tools that read entries (spec document 2, Content; contract 4). */
@Injectable()
export class EntryReadingTools {
  constructor(private readonly entries: EntryDeps) {}

  @Tool(list)
  list(ctx: Context, input: ToolInputOf<typeof list>) {
    return listContent(ctx, this.entries, { ...input, includeInferredBylines: false });
  }

  @Tool(get)
  get(ctx: Context, input: ToolInputOf<typeof get>) {
    return getContent(ctx, this.entries, input);
  }

  @Tool(compare)
  compare(ctx: Context, input: ToolInputOf<typeof compare>) {
    return compareContent(ctx, this.entries, input);
  }

  @Tool(listTrashed)
  listTrashed(ctx: Context, input: ToolInputOf<typeof listTrashed>) {
    return listTrashedContent(ctx, this.entries, input);
  }

  @Tool(translations)
  translations(ctx: Context, input: ToolInputOf<typeof translations>) {
    return getContentTranslations(ctx, this.entries, input);
  }
}
