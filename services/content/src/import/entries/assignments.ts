import type { Queryable } from '@quire/database';
import { selectBylineGroups, type Credit } from '../../bylines/credits/index.js';
import { selectTaxonomiesByName } from '../../taxonomies/assignments/index.js';
import { warningCodes } from './importer.js';
import type { PreparedEntry } from './prepare-entries.js';

/** The credits and terms of an imported entry. */
export interface Assignments {
  credits: Credit[];
  /** Groups of terms by the id of their taxonomy, of the taxonomies that the source names. */
  terms: Map<string, string[]>;
}

interface FoundTerm {
  taxonomyId: string;
  slug: string;
  locale: string;
  group: string;
}

/**
 * Finds the credits and terms of entries, with three statements. What does not exist is left out with a warning.
 * @param defaultLocale of terms that the locale of the entry has not
 */
export async function resolveAssignments(
  sql: Queryable,
  entries: readonly PreparedEntry[],
  defaultLocale: string,
): Promise<Map<PreparedEntry, Assignments>> {
  const bylineGroups = await loadBylineGroups(sql, entries);
  const terms = await loadTerms(sql, entries, defaultLocale);
  return new Map(
    entries.map((prepared) => [
      prepared,
      { credits: creditsOf(prepared, bylineGroups), terms: termsOf(prepared, terms) },
    ]),
  );
}

async function loadBylineGroups(
  sql: Queryable,
  entries: readonly PreparedEntry[],
): Promise<Map<string, string>> {
  const ids = [...new Set(entries.flatMap(({ entry }) => entry.bylines))];
  if (ids.length === 0) return new Map();
  const known = await selectBylineGroups(sql, ids);
  return new Map(known.flatMap(({ id, group }) => [[id, group] as const, [group, group] as const]));
}

function creditsOf({ entry, warnings }: PreparedEntry, bylineGroups: ReadonlyMap<string, string>): Credit[] {
  const groups = new Set<string>();
  for (const id of entry.bylines) {
    const group = bylineGroups.get(id);
    if (group === undefined)
      warnings.push({ code: warningCodes.bylineMissing, message: `'${id}' is not a byline` });
    else groups.add(group);
  }
  return [...groups].map((group) => ({ group, roleLabel: null }));
}

interface TermIndex {
  taxonomies: ReadonlyMap<string, { id: string; collections: readonly string[] }>;
  find: (taxonomyId: string, slug: string, locale: string) => string | undefined;
}

async function loadTerms(
  sql: Queryable,
  entries: readonly PreparedEntry[],
  defaultLocale: string,
): Promise<TermIndex> {
  const named = entries.flatMap(({ entry }) => Object.entries(entry.taxonomies));
  const names = [...new Set(named.map(([name]) => name))];
  const taxonomies = names.length === 0 ? [] : await selectTaxonomiesByName(sql, names);
  const slugs = [...new Set(named.flatMap(([, list]) => list))];
  const found =
    slugs.length === 0
      ? []
      : await selectTermsOfAnyLocale(
          sql,
          taxonomies.map(({ id }) => id),
          slugs,
        );
  const bySlug = new Map<string, FoundTerm[]>();
  for (const term of found) {
    const key = `${term.taxonomyId}/${term.slug}`;
    bySlug.set(key, [...(bySlug.get(key) ?? []), term]);
  }
  return {
    taxonomies: new Map(taxonomies.map((taxonomy) => [taxonomy.name, taxonomy])),
    find: (taxonomyId, slug, locale) => {
      const inLocales = bySlug.get(`${taxonomyId}/${slug}`) ?? [];
      const ofLocale = (wanted: string) => inLocales.find((term) => term.locale === wanted);
      return (ofLocale(locale) ?? ofLocale(defaultLocale) ?? inLocales[0])?.group;
    },
  };
}

function selectTermsOfAnyLocale(
  sql: Queryable,
  taxonomyIds: readonly string[],
  slugs: readonly string[],
): Promise<FoundTerm[]> {
  return sql.query<FoundTerm>({
    prepared: true,
    text: `SELECT taxonomy_id AS "taxonomyId", slug, locale, group_id AS "group" FROM terms
      WHERE taxonomy_id = ANY($1) AND slug = ANY($2) ORDER BY locale COLLATE "C"`,
    values: [taxonomyIds, slugs],
  });
}

function termsOf(
  { entry, definition, locale, warnings }: PreparedEntry,
  { taxonomies, find }: TermIndex,
): Map<string, string[]> {
  const terms = new Map<string, string[]>();
  const warn = (message: string) => warnings.push({ code: warningCodes.termMissing, message });
  for (const [name, slugs] of Object.entries(entry.taxonomies)) {
    const taxonomy = taxonomies.get(name);
    if (!taxonomy?.collections.includes(definition.slug)) {
      warn(`'${name}' is not a taxonomy of '${definition.slug}'`);
      continue;
    }
    const groups = new Set<string>();
    for (const slug of slugs) {
      const group = find(taxonomy.id, slug, locale);
      if (group === undefined) warn(`term '${slug}' not found in '${name}'`);
      else groups.add(group);
    }
    terms.set(taxonomy.id, [...groups]);
  }
  return terms;
}

/** Number of terms that were assigned. */
export const countTerms = ({ terms }: Assignments) =>
  [...terms.values()].reduce((sum, groups) => sum + groups.length, 0);
