import { isItemFault, parseItem, type Analysis } from '@quire/import-sources';
import { analysedTypes, type ExistingCollections } from '../analysed-types.js';
import { ItemFacts } from './item-facts.js';

const maxWarnings = 1000;
const maxSampleTerms = 3;
/** Taxonomies of every site, by their names at the source. */
const ownTaxonomies: ReadonlySet<string> = new Set(['category', 'post_tag']);

/**
 * Describes content by its items (contract 1.2). All of them are read, none is kept; an invalid one is a warning.
 * @param source id of the source, and the site that it reads
 * @throws the error of the iteration
 */
export async function analyzeItems(
  items: AsyncIterable<unknown>,
  source: Pick<Analysis, 'sourceId' | 'site'>,
  collections: ExistingCollections,
): Promise<Analysis> {
  const all = new ItemFacts();
  const types = new Map<string, ItemFacts>();
  const warnings: NonNullable<Analysis['warnings']> = [];
  for await (const value of items) {
    const item = parseItem(value);
    if (isItemFault(item)) {
      const message = `${item.title || item.sourceId || 'An item'}: ${item.fault}`;
      if (warnings.length < maxWarnings) warnings.push({ code: 'ITEM_INVALID', message });
      continue;
    }
    const facts = types.get(item.postType) ?? new ItemFacts();
    types.set(item.postType, facts);
    facts.add(item);
    all.add(item);
  }
  const counted = [...types].map(([name, facts]) => ({
    name,
    count: facts.count,
    requiredFields: facts.requiredFields(),
  }));
  const custom = [...all.terms].filter(([taxonomy]) => !ownTaxonomies.has(taxonomy));
  return {
    ...source,
    postTypes: analysedTypes(counted, collections),
    attachments: { count: 0, items: [] },
    categories: all.terms.get('category')?.size ?? 0,
    tags: all.terms.get('post_tag')?.size ?? 0,
    customTaxonomies: custom.map(([slug, terms]) => ({
      slug,
      termCount: terms.size,
      sampleTerms: [...terms.values()].slice(0, maxSampleTerms),
    })),
    authors: [...all.authors].map(([login, postCount]) => ({ login, displayName: login, postCount })),
    customFields: all.customFields(),
    warnings,
  };
}
