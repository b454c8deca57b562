import type { Queryable } from '@quire/database';
import { invalidInput, type Issue } from '@quire/errors';
import { selectTaxonomiesByName, selectTermsBySlug, type NamedTerms } from './assignments.repository.js';

/** Slugs of terms by taxonomy, in writes of entries. Taxonomies that are not named keep their terms. */
export type TermsBySlug = Readonly<Record<string, readonly string[]>>;

/**
 * Finds the terms of an entry by their slugs in its locale; duplicates count once (contract 7, createContent).
 * @throws QuireError VALIDATION_ERROR naming each unknown taxonomy, taxonomy of other collections, and unknown term.
 */
export async function resolveTermsBySlug(
  sql: Queryable,
  { collection, locale }: { collection: string; locale: string },
  slugsByTaxonomy: TermsBySlug,
): Promise<NamedTerms[]> {
  const named = Object.entries(slugsByTaxonomy);
  if (named.length === 0) return [];
  const taxonomies = await selectTaxonomiesByName(
    sql,
    named.map(([name]) => name),
  );
  const terms = await selectTermsBySlug(sql, {
    taxonomyIds: taxonomies.map(({ id }) => id),
    locale,
    slugs: named.flatMap(([, slugs]) => slugs),
  });
  const groupOf = new Map(terms.map(({ taxonomyId, slug, group }) => [`${taxonomyId}/${slug}`, group]));
  const issues: Issue[] = [];
  const resolved = named.map(([name, slugs]): NamedTerms => {
    const taxonomy = taxonomies.find((candidate) => candidate.name === name);
    const addIssue = (path: string, message: string) => issues.push({ path: `taxonomies.${path}`, message });
    if (!taxonomy) addIssue(name, 'is not a taxonomy');
    else if (!taxonomy.collections.includes(collection)) addIssue(name, `is not for '${collection}'`);
    const taxonomyId = taxonomy?.id ?? '';
    const termGroups = slugs.flatMap((slug, index) => {
      const group = groupOf.get(`${taxonomyId}/${slug}`);
      if (taxonomy && group === undefined)
        addIssue(`${name}.${index}`, `term '${slug}' not found in '${locale}'`);
      return group === undefined ? [] : [group];
    });
    return { taxonomyId, termGroups };
  });
  if (issues.length > 0) throw invalidInput(issues);
  return resolved;
}
