import { hasSqlState, sqlState, type Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { sameLocale } from '../../locales/index.js';
import type { TaxonomyRow } from '../definitions/index.js';

/** A term as answers show it (contract 6, Term). */
export interface TermResponse {
  id: string;
  /** Its taxonomy's. */
  name: string;
  slug: string;
  label: string;
  /** The parent's translation group. */
  parentId: string | null;
  description?: string;
  locale: string;
  translationGroup: string;
}

type TermRow = Omit<TermResponse, 'description'> & { description: string | null };

const columns = `r.id, t.name, r.slug, r.label, g.parent_id AS "parentId", r.description, r.locale,
  r.group_id AS "translationGroup"`;
const tables = 'terms r JOIN term_groups g ON g.id = r.group_id JOIN taxonomies t ON t.id = g.taxonomy_id';
const order = 'g.sort_order, r.label COLLATE "C", r.id';

/** The terms of a taxonomy, of some locales or of all, in their order. */
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

/** The terms directly below a group, in one locale, in their order. */
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

/** Where a term stands. `locale` in any spelling; without one the default locale's term, else the lowest code's. */
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

/** The group that an id means: its own, or that of one of its terms. */
export interface ResolvedGroup {
  id: string;
  taxonomyId: string;
  taxonomyName: string;
  parentId: string | null;
}

/** What each id (of a term or of a group, of any taxonomy) means; unknown ids are absent. */
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

/** Slugs of a taxonomy and locale that are `base` or `base-N`. */
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

/** A violated rule of the table in the words of the API. */
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
