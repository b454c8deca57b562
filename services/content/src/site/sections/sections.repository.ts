import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  insertRow,
  likeContaining,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
  type Row,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { Section } from './section.entity.js';
import type { SectionInput, SectionUpdate } from './sections.schemas.js';

export type StoredSection = Row<Section>;

const columns = columnsOf(Section);

/** Lists are ordered by title. */
export const sectionOrder = {
  column: 'title',
  idColumn: 'id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
  from: 'sections',
} as const;

/** `search` looks into title, description and keywords, in any case. */
export interface SectionFilter {
  source?: string | undefined;
  search?: string | undefined;
}

/** @returns the rows of one page. */
export async function selectSections(
  sql: Queryable,
  { source, search }: SectionFilter,
  page: KeysetPage,
): Promise<StoredSection[]> {
  const params = new Parameters();
  const conditions = [page.condition(params)];
  if (source !== undefined) conditions.push(`source = ${params.add(source, 'text')}`);
  if (search !== undefined && search !== '') {
    const pattern = params.add(likeContaining(search), 'text');
    conditions.push(`(title ILIKE ${pattern} OR description ILIKE ${pattern}
      OR EXISTS (SELECT 1 FROM unnest(keywords) AS keyword WHERE keyword ILIKE ${pattern}))`);
  }
  return sql.query<StoredSection>(
    `SELECT ${columns} FROM sections WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

export async function selectSection(sql: Queryable, slug: string): Promise<StoredSection | undefined> {
  const [section] = await sql.query<StoredSection>(`SELECT ${columns} FROM sections WHERE slug = $1`, [slug]);
  return section;
}

/** @throws QuireError CONFLICT when the slug is taken. */
export function insertSection(sql: Queryable, input: SectionInput): Promise<StoredSection> {
  return withConflictError(input.slug, () => insertRow(sql, Section, { id: ulid(), ...input }));
}

/**
 * Updates the given columns; null clears one.
 * @returns the row, or undefined when there is no such section.
 * @throws QuireError CONFLICT when the new slug is taken.
 */
export async function updateSectionRow(
  sql: Queryable,
  slug: string,
  update: SectionUpdate,
): Promise<StoredSection | undefined> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(Section, update, params), 'updated_at = now()'];
  const [section] = await withConflictError(update.slug ?? slug, () =>
    sql.query<StoredSection>(
      `UPDATE sections SET ${assignments.join(', ')} WHERE slug = ${params.add(slug)} RETURNING ${columns}`,
      params.values,
    ),
  );
  return section;
}

/** Deletes a section unless it belongs to the theme. @returns whether a row was deleted. */
export async function deleteSectionRow(sql: Queryable, slug: string): Promise<boolean> {
  const deleted = await sql.query("DELETE FROM sections WHERE slug = $1 AND source <> 'theme' RETURNING id", [
    slug,
  ]);
  return deleted.length > 0;
}

async function withConflictError<Result>(slug: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation) || error.constraint !== 'sections_slug') throw error;
    throw new QuireError('CONFLICT', `Section '${slug}' already exists`, { cause: error });
  }
}
