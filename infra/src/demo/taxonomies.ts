import type { Api } from './api.js';
import type { ExportFile, ExportTerm } from './export.js';
import { collectionOf } from './schema.js';

/** Labels of taxonomies by locale. Others get a label from their name. */
const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  category: { en: 'Categories', ja: 'カテゴリー' },
  tag: { en: 'Tags', ja: 'タグ' },
};
const labelOf = (name: string, locale: string) =>
  labels[name]?.[locale] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

type Term = Omit<ExportTerm, 'taxonomy'>;
/** Terms by slug. */
type Terms = ReadonlyMap<string, Term>;

interface Taxonomy {
  hierarchical: boolean;
  collections: Set<string>;
  /** Terms by locale and slug. */
  terms: Map<string, Map<string, Term>>;
}

/** All taxonomies of the exports by name. */
function collectTaxonomies(exports: readonly ExportFile[]): Map<string, Taxonomy> {
  const taxonomies = new Map<string, Taxonomy>();
  const taxonomyOf = (name: string): Taxonomy => {
    const known = taxonomies.get(name);
    if (known) return known;
    const added: Taxonomy = { hierarchical: name === 'category', collections: new Set(), terms: new Map() };
    taxonomies.set(name, added);
    return added;
  };
  const add = (locale: string, { taxonomy, ...term }: ExportTerm) => {
    const { terms } = taxonomyOf(taxonomy);
    const bySlug = terms.get(locale) ?? new Map<string, Term>();
    terms.set(locale, bySlug);
    // A declaration precedes the items, and has more properties than they do.
    if (!bySlug.has(term.slug)) bySlug.set(term.slug, term);
  };
  for (const { locale, terms, items } of exports) {
    for (const term of terms) {
      add(locale, term);
      if (term.parent !== undefined) taxonomyOf(term.taxonomy).hierarchical = true;
    }
    for (const { type, terms: assigned } of items) {
      const collection = collectionOf(type);
      if (collection === undefined) continue;
      for (const term of assigned) {
        add(locale, term);
        taxonomyOf(term.taxonomy).collections.add(collection);
      }
    }
  }
  return taxonomies;
}

interface Definition {
  name: string;
  locale: string;
  hierarchical: boolean;
  collections: string[];
}

/** Creates a definition in each locale with terms, or adds missing collections to an existing one. */
async function createDefinitions(
  api: Api,
  name: string,
  { hierarchical, collections: wanted, terms }: Taxonomy,
  known: readonly Definition[],
): Promise<void> {
  const path = `/taxonomies/${name}`;
  const [existing] = known.filter((definition) => definition.name === name);
  const missing = [...wanted].filter((slug) => !existing?.collections.includes(slug));
  if (existing && (missing.length > 0 || (hierarchical && !existing.hierarchical)))
    await api.call('PUT', path, {
      collections: [...existing.collections, ...missing],
      hierarchical: hierarchical || existing.hierarchical,
    });
  let isNew = !existing;
  for (const locale of terms.keys()) {
    if (known.some((definition) => definition.name === name && definition.locale === locale)) continue;
    const shared = isNew ? { hierarchical, collections: [...wanted] } : {};
    await api.call('POST', '/taxonomies', { name, label: labelOf(name, locale), locale, ...shared });
    isNew = false;
  }
}

interface TermNode {
  id: string;
  slug: string;
  children: TermNode[];
}

const flattened = (terms: readonly TermNode[]): TermNode[] =>
  terms.flatMap((term) => [term, ...flattened(term.children)]);

/** Creates missing terms, parents first. @returns the ids of all terms by slug, and the number of new ones */
async function createTerms(
  api: Api,
  { name, locale, terms }: { name: string; locale: string; terms: Terms },
): Promise<{ ids: ReadonlyMap<string, string>; created: number }> {
  const path = `/taxonomies/${name}/terms`;
  const known = await api.call<{ terms: TermNode[] }>('GET', `${path}?locale=${locale}&includeCounts=false`);
  const ids = new Map(flattened(known.terms).map(({ slug, id }) => [slug, id]));
  let created = 0;
  const create = async ({ slug, label, parent, description }: Term, below: string[] = []): Promise<void> => {
    if (ids.has(slug)) return;
    // Without a declared parent, or in a circle, the term is at the top.
    const isInCircle = parent === undefined || below.includes(parent) || parent === slug;
    const above = isInCircle ? undefined : terms.get(parent);
    if (above) await create(above, [...below, slug]);
    // A circle may have created this term.
    if (ids.has(slug)) return;
    const { term } = await api.call<{ term: { id: string } }>('POST', path, {
      slug,
      label,
      locale,
      ...(description ? { description } : {}),
      ...(above ? { parentId: ids.get(above.slug) } : {}),
    });
    ids.set(slug, term.id);
    created += 1;
  };
  for (const term of terms.values()) await create(term);
  return { ids, created };
}

export const termKey = (locale: string, taxonomy: string, slug: string) => `${locale}/${taxonomy}/${slug}`;

/** Creates the taxonomies of the exports and their terms. @returns the ids of terms by `termKey` */
export async function importTaxonomies(
  api: Api,
  exports: readonly ExportFile[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const { taxonomies: known } = await api.call<{ taxonomies: Definition[] }>('GET', '/taxonomies');
  for (const [name, taxonomy] of collectTaxonomies(exports)) {
    await createDefinitions(api, name, taxonomy, known);
    for (const [locale, terms] of taxonomy.terms) {
      const { ids: bySlug, created } = await createTerms(api, { name, locale, terms });
      for (const [slug, id] of bySlug) ids.set(termKey(locale, name, slug), id);
      const shape = taxonomy.hierarchical ? 'with parents' : 'flat';
      const counts = `${created} created, ${terms.size - created} there already`;
      console.log(`  ${name.padEnd(26)} ${locale}  ${shape.padEnd(12)}  ${counts}`);
    }
  }
  return ids;
}
