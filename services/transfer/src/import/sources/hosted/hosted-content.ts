import { defaultImportFields } from '@quire/content-model';
import {
  type Analysis,
  type AnalysisContext,
  type ContentContext,
  type ContentOptions,
  type ImportSource,
  type ItemInput,
  type SourceInput,
} from '@quire/import-sources';
import { contentKindOf } from '../../export-file/index.js';
import { analysedTypes, type TypeFacts } from '../analysed-types.js';
import { HostedApi } from './hosted-api.js';
import { hostedItem } from './hosted-item.js';

const pageSize = 100;
const allStatuses = 'publish,draft,pending,private,future';

/**
 * The functions of the source `legacy-com` that read a connected site through the hosted edition's API (spec document
 * 3, rule 2): content with drafts and private posts, terms, authors, featured images, and the custom fields that the
 * API shows.
 * @param delayMs delay before the first repetition of a request; for tests
 */
export function hostedContent(delayMs?: number): Pick<ImportSource, 'analyze' | 'fetchContent'> {
  return {
    analyze: async (input, context) => analyze(new HostedApi(input, context, delayMs), input, context),
    fetchContent: (input, options, context) =>
      readItems(new HostedApi(input, context, delayMs), input, options, context),
  };
}

async function* readItems(
  api: HostedApi,
  input: SourceInput,
  { postTypes, includeDrafts = false, limit = Infinity }: ContentOptions,
  context: ContentContext,
): AsyncGenerator<ItemInput, void, undefined> {
  const status = includeDrafts ? allStatuses : 'publish';
  let count = 0;
  for (const { name, path } of await api.types()) {
    if (!postTypes.includes(name) || contentKindOf(name) !== 'entry') continue;
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const found = await api.list(path, {
        context: 'edit',
        status,
        per_page: String(pageSize),
        page: String(page),
        orderby: 'id',
        order: 'asc',
        _embed: 'author,wp:term,wp:featuredmedia',
      });
      pages = found.pages;
      for (const post of found.items) {
        if (count >= limit) return;
        count += 1;
        yield hostedItem(post, urlOf(input), context);
      }
    }
  }
}

async function analyze(
  api: HostedApi,
  input: SourceInput,
  { getExistingCollections }: AnalysisContext,
): Promise<Analysis> {
  const countOf = async (path: string, query = {}) =>
    (await api.list(path, { per_page: '1', ...query })).total ?? 0;
  const types: TypeFacts[] = [];
  for (const { name, path } of await api.types()) {
    if (contentKindOf(name) !== 'entry') continue;
    const count = await countOf(path, { context: 'edit', status: allStatuses });
    if (count > 0) types.push({ name, count, requiredFields: defaultImportFields(name) });
  }
  return {
    sourceId: 'legacy-com',
    site: { title: '', url: urlOf(input) },
    postTypes: analysedTypes(types, await getExistingCollections()),
    attachments: { count: await countOf('media'), items: [] },
    categories: await countOf('categories'),
    tags: await countOf('tags'),
    authors: [],
    customFields: [],
  };
}

function urlOf(input: SourceInput): string {
  return input.type === 'file' ? '' : input.url;
}
