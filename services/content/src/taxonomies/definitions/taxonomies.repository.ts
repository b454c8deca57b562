import {
  assignmentsOf,
  columnsOf,
  insertRow,
  Parameters,
  type Queryable,
  type Row,
  type RowInput,
} from '@quire/database';
import { invalidInput, notFound } from '@quire/errors';
import { sameLocale } from '../../locales/index.js';
import { deleteAssignmentsOf } from '../assignments/index.js';
import { TaxonomyDefinition } from './taxonomy-definition.entity.js';
import { Taxonomy } from './taxonomy.entity.js';

/** The properties that all locales of a taxonomy share; `collections` lists those that still exist. */
export type TaxonomyRow = Omit<Row<Taxonomy>, 'createdAt'>;

type StoredDefinition = Row<TaxonomyDefinition>;

/** A definition in responses (contract 6, TaxonomyDef). */
export type TaxonomyDef = Omit<TaxonomyRow, 'id'> &
  Pick<StoredDefinition, 'id' | 'label' | 'locale'> & { labelSingular?: string; translationGroup: string };

type DefinitionRow = Omit<TaxonomyDef, 'labelSingular'> & Pick<StoredDefinition, 'labelSingular'>;

const existingCollections = `ARRAY(
  SELECT c.slug FROM unnest(t.collections) WITH ORDINALITY AS named (slug, position)
  JOIN collections c ON c.slug = named.slug ORDER BY named.position) AS collections`;
const taxonomyColumns = `${columnsOf(Taxonomy, { of: 't', only: ['id', 'name', 'hierarchical'] })},
  ${existingCollections}`;
const definitionColumns = `
  ${columnsOf(TaxonomyDefinition, { of: 'd', only: ['id', 'label', 'labelSingular', 'locale'] })},
  ${columnsOf(Taxonomy, { of: 't', only: ['name', 'hierarchical'] })}, ${existingCollections},
  t.id AS "translationGroup"`;
const definitions = 'taxonomy_definitions d JOIN taxonomies t ON t.id = d.taxonomy_id';

/** @returns all taxonomies by name. */
export function selectTaxonomies(sql: Queryable): Promise<TaxonomyRow[]> {
  return sql.query<TaxonomyRow>(`SELECT ${taxonomyColumns} FROM taxonomies t ORDER BY t.name COLLATE "C"`);
}

/** @throws QuireError NOT_FOUND */
export async function selectTaxonomy(sql: Queryable, name: string): Promise<TaxonomyRow> {
  const [taxonomy] = await sql.query<TaxonomyRow>(
    `SELECT ${taxonomyColumns} FROM taxonomies t WHERE t.name = $1`,
    [name],
  );
  if (!taxonomy) throw notFound('taxonomy');
  return taxonomy;
}

/**
 * Locks a taxonomy until the transaction ends. Changes of its definitions lock it `FOR UPDATE`. Changes of its terms
 * lock it `FOR NO KEY UPDATE`, so one writer at a time decides on hierarchy, order and slugs. Assignments of terms lock
 * it `FOR KEY SHARE`: they wait for changes of definitions, not for those of terms.
 * @throws QuireError NOT_FOUND
 */
export async function lockTaxonomy(
  tx: Queryable,
  name: string,
  strength: 'FOR UPDATE' | 'FOR NO KEY UPDATE' | 'FOR KEY SHARE',
): Promise<TaxonomyRow> {
  await tx.query(`SELECT 1 FROM taxonomies WHERE name = $1 ${strength}`, [name]);
  // A second statement: one that waited for the lock would return the row of its older snapshot.
  return selectTaxonomy(tx, name);
}

/** @returns all definitions, or those of one locale, by name and locale. */
export async function selectDefinitions(sql: Queryable, locale: string | null): Promise<TaxonomyDef[]> {
  const rows = await sql.query<DefinitionRow>(
    `SELECT ${definitionColumns} FROM ${definitions} WHERE $1::text IS NULL OR ${sameLocale('d.locale', '$1')}
     ORDER BY t.name COLLATE "C", d.locale COLLATE "C"`,
    [locale],
  );
  return rows.map(toTaxonomyResponse);
}

/** @returns the definitions of one taxonomy: the preferred locales first, in their order, then by locale code. */
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

/**
 * Inserts a taxonomy unless its name exists, and locks it.
 * @returns the stored taxonomy, which may have other settings.
 */
export async function upsertTaxonomy(
  tx: Queryable,
  { id, name, hierarchical, collections }: TaxonomyRow,
): Promise<TaxonomyRow> {
  // The update changes nothing but locks the row, which a concurrent transaction could otherwise delete.
  await tx.query(
    `INSERT INTO taxonomies (id, name, hierarchical, collections) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET name = excluded.name`,
    [id, name, hierarchical, collections],
  );
  return lockTaxonomy(tx, name, 'FOR UPDATE');
}

export async function insertDefinition(
  tx: Queryable,
  definition: Omit<StoredDefinition, 'createdAt' | 'updatedAt'>,
): Promise<void> {
  await insertRow(tx, TaxonomyDefinition, definition);
}

/** Updates the given columns of a definition, if any. */
export async function updateDefinitionRow(
  tx: Queryable,
  id: string,
  update: Pick<RowInput<TaxonomyDefinition>, 'label' | 'labelSingular'>,
): Promise<void> {
  const params = new Parameters();
  const assignments = assignmentsOf(TaxonomyDefinition, update, params);
  if (assignments.length === 0) return;
  await tx.query(
    `UPDATE taxonomy_definitions SET ${assignments.join(', ')}, updated_at = now() WHERE id = ${params.add(id)}`,
    params.values,
  );
}

/** Updates the given columns of a taxonomy, if any. */
export async function updateTaxonomyRow(
  tx: Queryable,
  id: string,
  update: Pick<RowInput<Taxonomy>, 'hierarchical' | 'collections'>,
): Promise<void> {
  const params = new Parameters();
  const assignments = assignmentsOf(Taxonomy, update, params);
  if (assignments.length === 0) return;
  await tx.query(
    `UPDATE taxonomies SET ${assignments.join(', ')} WHERE id = ${params.add(id)}`,
    params.values,
  );
}

/** Deletes a locked taxonomy with its definitions, terms and assignments. */
export async function deleteTaxonomyRow(tx: Queryable, id: string): Promise<void> {
  const groups = await tx.query<{ id: string }>('SELECT id FROM term_groups WHERE taxonomy_id = $1', [id]);
  await deleteAssignmentsOf(
    tx,
    groups.map((group) => group.id),
  );
  await tx.query('DELETE FROM taxonomies WHERE id = $1', [id]);
}

/** @returns the name of the taxonomy with the id of a definition or of a translation group. */
export async function selectNameByTranslation(tx: Queryable, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(
    `SELECT t.name FROM taxonomies t
     WHERE t.id = $1 OR EXISTS (SELECT 1 FROM taxonomy_definitions d WHERE d.taxonomy_id = t.id AND d.id = $1)`,
    [id],
  );
  return row?.name;
}

/** Whether terms of a taxonomy have parents. */
export async function hasNestedTerms(tx: Queryable, id: string): Promise<boolean> {
  const nested = await tx.query(
    'SELECT 1 FROM term_groups WHERE taxonomy_id = $1 AND parent_id IS NOT NULL LIMIT 1',
    [id],
  );
  return nested.length > 0;
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
