import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  insertRow,
  Parameters,
  sqlState,
  type Queryable,
  type Row,
} from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { sameLocale } from '../../locales/index.js';
import { deleteAssignmentsOf } from '../assignments/index.js';
import type { TaxonomyRow } from '../definitions/index.js';
import { TermGroup } from './term-group.entity.js';
import { Term } from './term.entity.js';
import type { TermUpdate } from './terms.schemas.js';

type StoredTerm = Row<Term>;
type StoredGroup = Row<TermGroup>;

/** A term of a taxonomy, without absent properties (contract 6, Term). */
export interface TermResponse extends Pick<StoredTerm, 'id' | 'slug' | 'label' | 'locale'> {
  /** The name of its taxonomy. */
  name: string;
  /** The parent's translation group. */
  parentId: string | null;
  description?: string;
  translationGroup: string;
}

type TermRow = Omit<TermResponse, 'description'> & Pick<StoredTerm, 'description'>;

const columns = `${columnsOf(Term, { of: 'r', only: ['id', 'slug', 'label', 'description', 'locale'] })}, t.name,
  g.parent_id AS "parentId", r.group_id AS "translationGroup"`;
const tables = 'terms r JOIN term_groups g ON g.id = r.group_id JOIN taxonomies t ON t.id = g.taxonomy_id';
const order = 'g.sort_order, r.label COLLATE "C", r.id';

/** @returns the terms of a taxonomy, of some locales or of all, in order. */
export async function selectTerms(
  sql: Queryable,
  { id }: TaxonomyRow,
  locales: readonly string[] | null,
): Promise<TermResponse[]> {
  const rows = await sql.query<TermRow>(
    `SELECT ${columns} FROM ${tables} WHERE t.id = $1 AND ($2::text[] IS NULL OR lower(r.locale) IN (SELECT lower(code) FROM unnest($2) AS code))
     ORDER BY ${order}`,
    [id, locales],
  );
  return rows.map(toTermResponse);
}

/** @returns the terms directly below a group, in one locale, in order. */
export async function selectChildTerms(
  sql: Queryable,
  { translationGroup, locale }: TermResponse,
): Promise<TermResponse[]> {
  const rows = await sql.query<TermRow>(
    `SELECT ${columns} FROM ${tables} WHERE g.parent_id = $1 AND r.locale = $2 ORDER BY ${order}`,
    [translationGroup, locale],
  );
  return rows.map(toTermResponse);
}

/** A term in one locale. */
export type TermTranslation = Pick<TermResponse, 'id' | 'slug' | 'label' | 'locale'>;

/** @returns the terms of a group by locale code. */
export async function selectTermTranslations(sql: Queryable, group: string): Promise<TermTranslation[]> {
  return sql.query<TermTranslation>(
    `SELECT ${columnsOf(Term, { only: ['id', 'slug', 'label', 'locale'] })} FROM terms
     WHERE group_id = $1 ORDER BY locale COLLATE "C"`,
    [group],
  );
}

/** `locale` in any spelling; without one the term of the default locale, else of the lowest code. */
export interface TermAddress {
  slug: string;
  locale: string | undefined;
  defaultLocale: string;
}

/** @throws QuireError NOT_FOUND */
export async function selectTerm(
  sql: Queryable,
  { id }: TaxonomyRow,
  { slug, locale, defaultLocale }: TermAddress,
): Promise<TermResponse> {
  const [row] = await sql.query<TermRow>(
    `SELECT ${columns} FROM ${tables}
     WHERE r.taxonomy_id = $1 AND r.slug = $2 AND ($3::text IS NULL OR ${sameLocale('r.locale', '$3')})
     ORDER BY (r.locale = coalesce($3, $4)) DESC, r.locale COLLATE "C" LIMIT 1`,
    [id, slug, locale ?? null, defaultLocale],
  );
  if (!row) throw notFound('term');
  return toTermResponse(row);
}

/** @throws QuireError NOT_FOUND */
export async function selectTermById(sql: Queryable, id: string): Promise<TermResponse> {
  const [row] = await sql.query<TermRow>(`SELECT ${columns} FROM ${tables} WHERE r.id = $1`, [id]);
  if (!row) throw notFound('term');
  return toTermResponse(row);
}

/** A group that was found by its own id, or by that of one of its terms. */
export interface ResolvedGroup {
  id: string;
  taxonomyId: string;
  taxonomyName: string;
  parentId: string | null;
}

/** @returns the group of each id (of a term or a group, of any taxonomy); unknown ids are absent. */
export async function resolveGroups(
  sql: Queryable,
  ids: readonly string[],
): Promise<Map<string, ResolvedGroup>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query<ResolvedGroup & { given: string }>({
    prepared: true,
    text: `SELECT found.given, g.id, g.parent_id AS "parentId", t.id AS "taxonomyId", t.name AS "taxonomyName"
     FROM (
       SELECT id AS given, id AS "group" FROM term_groups WHERE id = ANY($1)
       UNION SELECT id, group_id FROM terms WHERE id = ANY($1)
     ) found
     JOIN term_groups g ON g.id = found."group" JOIN taxonomies t ON t.id = g.taxonomy_id`,
    values: [ids],
  });
  return new Map(rows.map(({ given, ...group }) => [given, group]));
}

/** @returns the slugs of a taxonomy and locale that are `base` or `base-N`. */
export async function selectTakenSlugs(
  sql: Queryable,
  { id }: TaxonomyRow,
  locale: string,
  base: string,
): Promise<string[]> {
  const rows = await sql.query<{ slug: string }>(
    `SELECT slug FROM terms
     WHERE taxonomy_id = $1 AND locale = $2 AND (slug = $3 OR starts_with(slug, $3 || '-'))`,
    [id, locale, base],
  );
  return rows.map(({ slug }) => slug);
}

/** Inserts a term. Unique violations become errors by `toTermConflictError`. */
export async function insertTerm(
  tx: Queryable,
  term: Omit<StoredTerm, 'createdAt' | 'updatedAt'>,
): Promise<void> {
  await insertRow(tx, Term, term);
}

export async function insertGroup(tx: Queryable, group: StoredGroup): Promise<void> {
  await insertRow(tx, TermGroup, group);
}

/** Updates the given columns of a term, if any; an empty description is stored as null. */
export async function updateTermRow(
  tx: Queryable,
  id: string,
  { slug, label, description }: Pick<TermUpdate, 'slug' | 'label' | 'description'>,
): Promise<void> {
  const params = new Parameters();
  const update = { slug, label, description: description === '' ? null : description };
  const assignments = assignmentsOf(Term, update, params);
  if (assignments.length === 0) return;
  await tx.query(
    `UPDATE terms SET ${assignments.join(', ')}, updated_at = now() WHERE id = ${params.add(id)}`,
    params.values,
  );
}

/** Moves a group below a parent. */
export async function updateGroupPlace(
  tx: Queryable,
  { id, parentId, sortOrder }: Omit<StoredGroup, 'taxonomyId'>,
): Promise<void> {
  await tx.query('UPDATE term_groups SET parent_id = $2, sort_order = $3 WHERE id = $1', [
    id,
    parentId,
    sortOrder,
  ]);
}

/** Sets the sort order of each group. */
export async function updateSortOrders(
  tx: Queryable,
  ids: readonly string[],
  sortOrders: readonly number[],
): Promise<void> {
  await tx.query(
    `UPDATE term_groups g SET sort_order = moved.sort_order
     FROM unnest($1::text[], $2::integer[]) AS moved (id, sort_order) WHERE g.id = moved.id`,
    [ids, sortOrders],
  );
}

/** Deletes a term, and its group with all assignments when it was the last term of it. The taxonomy is locked. */
export async function deleteTermRow(
  tx: Queryable,
  { id, translationGroup }: Pick<TermResponse, 'id' | 'translationGroup'>,
): Promise<void> {
  await tx.query('DELETE FROM terms WHERE id = $1', [id]);
  const left = await tx.query('SELECT 1 FROM terms WHERE group_id = $1 LIMIT 1', [translationGroup]);
  if (left.length > 0) return;
  await deleteAssignmentsOf(tx, [translationGroup]);
  await tx.query('DELETE FROM term_groups WHERE id = $1', [translationGroup]);
}

/** Whether groups are below a group. */
export async function hasChildren(tx: Queryable, group: string): Promise<boolean> {
  return (await tx.query('SELECT 1 FROM term_groups WHERE parent_id = $1 LIMIT 1', [group])).length > 0;
}

/** @returns the groups below a parent, in order; with null those without a parent. */
export async function selectSiblings(
  tx: Queryable,
  { id }: TaxonomyRow,
  parent: string | null,
): Promise<Pick<StoredGroup, 'id' | 'sortOrder'>[]> {
  return tx.query(
    `SELECT ${columnsOf(TermGroup, { only: ['id', 'sortOrder'] })} FROM term_groups
     WHERE taxonomy_id = $1 AND parent_id IS NOT DISTINCT FROM $2 ORDER BY sort_order, id`,
    [id, parent],
  );
}

/** @returns the sort order after all siblings. */
export async function selectNextSortOrder(
  tx: Queryable,
  { id }: TaxonomyRow,
  parent: string | null,
): Promise<number> {
  const [row] = await tx.query<{ next: number }>(
    `SELECT coalesce(max(sort_order) + 1, 0) AS next FROM term_groups
     WHERE taxonomy_id = $1 AND parent_id IS NOT DISTINCT FROM $2`,
    [id, parent],
  );
  return row?.next ?? 0;
}

/** @returns a group and its ancestors, from below. */
export async function selectAncestors(tx: Queryable, group: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH RECURSIVE up AS (
       SELECT id, parent_id FROM term_groups WHERE id = $1
       UNION ALL SELECT g.id, g.parent_id FROM term_groups g JOIN up ON g.id = up.parent_id
     ) SELECT id FROM up`,
    [group],
  );
  return rows.map(({ id }) => id);
}

/** @returns the number of levels below a group. */
export async function selectDepth(tx: Queryable, group: string): Promise<number> {
  const [row] = await tx.query<{ levels: number }>(
    `WITH RECURSIVE down AS (
       SELECT id, 0 AS level FROM term_groups WHERE id = $1
       UNION ALL SELECT g.id, down.level + 1 FROM term_groups g JOIN down ON g.parent_id = down.id
     ) SELECT max(level) AS levels FROM down`,
    [group],
  );
  return row?.levels ?? 0;
}

/** Converts a unique violation to CONFLICT. */
export function toTermConflictError(error: unknown): unknown {
  if (!hasSqlState(error, sqlState.uniqueViolation)) return error;
  const message =
    error.constraint === 'terms_group_id_locale'
      ? 'The term already has a translation in this locale'
      : 'slug: already used by another term of this taxonomy and locale';
  return new QuireError('CONFLICT', message, { cause: error });
}

function toTermResponse({ description, ...term }: TermRow): TermResponse {
  return description === null ? term : { ...term, description };
}
