import type { Queryable } from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { sameLocale } from '../../locales/index.js';

/** What all locales of a taxonomy share. */
export interface TaxonomyRow {
  id: string;
  name: string;
  hierarchical: boolean;
  /** Those that still exist. */
  collections: string[];
}

/** A definition as answers show it (contract 6, TaxonomyDef). */
export interface TaxonomyDef {
  id: string;
  name: string;
  label: string;
  labelSingular?: string;
  hierarchical: boolean;
  collections: string[];
  locale: string;
  translationGroup: string;
}

type DefinitionRow = Omit<TaxonomyDef, 'labelSingular'> & { labelSingular: string | null };

const existingCollections = `ARRAY(
  SELECT c.slug FROM unnest(t.collections) WITH ORDINALITY AS named (slug, position)
  JOIN collections c ON c.slug = named.slug ORDER BY named.position) AS collections`;
const taxonomyColumns = `t.id, t.name, t.hierarchical, ${existingCollections}`;
const definitionColumns = `d.id, t.name, d.label, d.label_singular AS "labelSingular", t.hierarchical,
  ${existingCollections}, d.locale, t.id AS "translationGroup"`;
const definitions = 'taxonomy_definitions d JOIN taxonomies t ON t.id = d.taxonomy_id';

/** What stands behind a name. @throws QuireError NOT_FOUND */
export async function selectTaxonomy(sql: Queryable, name: string): Promise<TaxonomyRow> {
  const [taxonomy] = await sql.query<TaxonomyRow>(
    `SELECT ${taxonomyColumns} FROM taxonomies t WHERE t.name = $1`,
    [name],
  );
  if (!taxonomy) throw notFound('taxonomy');
  return taxonomy;
}

/**
 * A taxonomy that stays as it is until the transaction ends. Everything that changes its definitions or terms holds it
 * `FOR UPDATE`, so hierarchy, order and slugs are decided by one writer at a time; what assigns terms holds it `FOR
 * SHARE`.
 * @throws QuireError NOT_FOUND
 */
export async function lockTaxonomy(
  tx: Queryable,
  name: string,
  strength: 'FOR UPDATE' | 'FOR SHARE',
): Promise<TaxonomyRow> {
  await tx.query(`SELECT 1 FROM taxonomies WHERE name = $1 ${strength}`, [name]);
  // Read afterwards: a statement that waited would still show what stood there when it began.
  return selectTaxonomy(tx, name);
}

/** All definitions, or those of one locale, by name and locale. */
export async function selectDefinitions(sql: Queryable, locale: string | null): Promise<TaxonomyDef[]> {
  const rows = await sql.query<DefinitionRow>(
    `SELECT ${definitionColumns} FROM ${definitions} WHERE $1::text IS NULL OR ${sameLocale('d.locale', '$1')}
     ORDER BY t.name COLLATE "C", d.locale COLLATE "C"`,
    [locale],
  );
  return rows.map(toTaxonomyResponse);
}

/** The definitions of one taxonomy: those of the preferred locales first, in their order, then by locale code. */
export async function selectDefinitionsOfTaxonomy(
  sql: Queryable,
  taxonomyId: string,
  preferred: readonly string[] = [],
): Promise<TaxonomyDef[]> {
  const rows = await sql.query<DefinitionRow>(
    `SELECT ${definitionColumns} FROM ${definitions} WHERE t.id = $1
     ORDER BY array_position($2::text[], d.locale) NULLS LAST, d.locale COLLATE "C"`,
    [taxonomyId, preferred],
  );
  return rows.map(toTaxonomyResponse);
}

/** @throws QuireError VALIDATION_ERROR naming each slug that is no collection. */
export async function assertCollectionsExist(
  sql: Queryable,
  slugs: readonly string[] | undefined,
): Promise<void> {
  if (!slugs?.length) return;
  const known = await sql.query<{ slug: string }>('SELECT slug FROM collections WHERE slug = ANY($1)', [
    slugs,
  ]);
  const unknown = slugs.flatMap((slug, index) =>
    known.some((collection) => collection.slug === slug)
      ? []
      : [{ path: `collections.${index}`, message: `collection '${slug}' not found` }],
  );
  if (unknown.length > 0) throw invalidInput(unknown);
}

function toTaxonomyResponse({ labelSingular, ...definition }: DefinitionRow): TaxonomyDef {
  return labelSingular === null ? definition : { ...definition, labelSingular };
}
