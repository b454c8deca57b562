import { collections } from './schema.mjs';

/** How a taxonomy is called, by locale; others are called by their name. */
const labels = {
  category: { en: 'Categories', ja: 'カテゴリー' },
  tag: { en: 'Tags', ja: 'タグ' },
};
const labelOf = (name, locale) =>
  labels[name]?.[locale] ?? name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** All taxonomies of the exports: for which collections, with parents or flat, and the terms by locale and slug. */
function gather(exports) {
  const taxonomies = new Map();
  const taxonomy = (name) => {
    if (!taxonomies.has(name))
      taxonomies.set(name, { hierarchical: name === 'category', collections: new Set(), terms: new Map() });
    return taxonomies.get(name);
  };
  const add = (locale, { taxonomy: name, ...term }) => {
    const { terms } = taxonomy(name);
    if (!terms.has(locale)) terms.set(locale, new Map());
    // What is declared comes first, and knows more than what items say.
    if (!terms.get(locale).has(term.slug)) terms.get(locale).set(term.slug, term);
  };
  for (const { locale, terms, items } of exports) {
    for (const term of terms) {
      add(locale, term);
      if (term.parent !== undefined) taxonomy(term.taxonomy).hierarchical = true;
    }
    for (const { type, terms: assigned } of items.filter(({ type }) => collections[type])) {
      for (const term of assigned) {
        add(locale, term);
        taxonomy(term.taxonomy).collections.add(collections[type]);
      }
    }
  }
  return taxonomies;
}

/** Makes a definition in each locale that has terms, or gives an existing one the collections that it lacks. */
async function define({ call }, name, { hierarchical, collections: wanted, terms }, known) {
  const path = `/taxonomies/${name}`;
  const [existing] = known.filter((definition) => definition.name === name);
  const missing = [...wanted].filter((slug) => !existing?.collections.includes(slug));
  if (existing && (missing.length > 0 || (hierarchical && !existing.hierarchical)))
    await call('PUT', path, {
      collections: [...existing.collections, ...missing],
      hierarchical: hierarchical || existing.hierarchical,
    });
  let isNew = !existing;
  for (const locale of terms.keys()) {
    if (known.some((definition) => definition.name === name && definition.locale === locale)) continue;
    const shared = isNew ? { hierarchical, collections: [...wanted] } : {};
    await call('POST', '/taxonomies', { name, label: labelOf(name, locale), locale, ...shared });
    isNew = false;
  }
}

const flattened = (terms) => terms.flatMap((term) => [term, ...flattened(term.children)]);

/** Makes the terms that are missing, parents first. @returns how many; `ids` gets the id of every term */
async function createTerms({ call }, name, locale, terms, ids) {
  const path = `/taxonomies/${name}/terms`;
  const known = await call('GET', `${path}?locale=${locale}&includeCounts=false`);
  const idBySlug = new Map(flattened(known.terms).map(({ slug, id }) => [slug, id]));
  let made = 0;
  const make = async ({ slug, label, parent, description }, below = []) => {
    if (idBySlug.has(slug)) return;
    // A parent that nobody declared, or a circle: the term stands at the top.
    const above = below.includes(parent) || parent === slug ? undefined : terms.get(parent);
    if (above) await make(above, [...below, slug]);
    // A circle was cut further up, and made this one.
    if (idBySlug.has(slug)) return;
    const { term } = await call('POST', path, {
      slug,
      label,
      locale,
      ...(description ? { description } : {}),
      ...(above ? { parentId: idBySlug.get(above.slug) } : {}),
    });
    idBySlug.set(slug, term.id);
    made += 1;
  };
  for (const term of terms.values()) await make(term);
  for (const [slug, id] of idBySlug) ids.set(termKey(locale, name, slug), id);
  return made;
}

export const termKey = (locale, taxonomy, slug) => `${locale}/${taxonomy}/${slug}`;

/**
 * Makes the taxonomies of the exports and their terms.
 * @returns {Promise<Map<string, string>>} the ids of terms by `termKey`
 */
export async function importTaxonomies(api, exports) {
  const ids = new Map();
  const { taxonomies: known } = await api.call('GET', '/taxonomies');
  for (const [name, taxonomy] of gather(exports)) {
    await define(api, name, taxonomy, known);
    for (const [locale, terms] of taxonomy.terms) {
      const made = await createTerms(api, name, locale, terms, ids);
      const shape = taxonomy.hierarchical ? 'with parents' : 'flat';
      const told = `${made} made, ${terms.size - made} there already`;
      console.log(`  ${name.padEnd(26)} ${locale}  ${shape.padEnd(12)}  ${told}`);
    }
  }
  return ids;
}
