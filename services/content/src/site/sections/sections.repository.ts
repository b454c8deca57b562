import {
  hasSqlState,
  likeContaining,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import type { SectionInput, SectionUpdate, StoredSection } from './sections.schemas.js';

const columns = `id, slug, title, description, keywords, content, preview_media_id AS "previewMediaId", source,
  theme_id AS "themeId", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Lists go by title. */
export const sectionOrder = {
  column: 'title',
  idColumn: 'id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
  from: 'sections',
} as const;

/** What a list of sections is narrowed to. */
export interface SectionFilter {
  source?: string | undefined;
  search?: string | undefined;
}

/** The rows of a page of sections. */
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
export async function insertSection(sql: Queryable, input: SectionInput): Promise<StoredSection> {
  const values = [
    ulid(),
    input.slug,
    input.title,
    input.description ?? null,
    input.keywords,
    JSON.stringify(input.content),
    input.previewMediaId ?? null,
    input.source,
    input.themeId ?? null,
  ];
  const [section] = await withConflictError(input.slug, () =>
    sql.query<StoredSection>(
      `INSERT INTO sections (id, slug, title, description, keywords, content, preview_media_id, source, theme_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${columns}`,
      values,
    ),
  );
  if (!section) throw new Error('INSERT returned no row');
  return section;
}

/**
 * Writes what is sent; a null clears.
 * @returns undefined when there is no such section.
 * @throws QuireError CONFLICT when the new slug is taken.
 */
export async function updateSectionRow(
  sql: Queryable,
  slug: string,
  change: SectionUpdate,
): Promise<StoredSection | undefined> {
  const params = new Parameters();
  const assignments = ['updated_at = now()'];
  const set = (column: string, value: unknown, cast: string) => {
    if (value !== undefined) assignments.push(`${column} = ${params.add(value, cast)}`);
  };
  set('slug', change.slug, 'text');
  set('title', change.title, 'text');
  set('description', change.description, 'text');
  set('keywords', change.keywords, 'text[]');
  set('content', change.content && JSON.stringify(change.content), 'json');
  set('preview_media_id', change.previewMediaId, 'text');
  const [section] = await withConflictError(change.slug ?? slug, () =>
    sql.query<StoredSection>(
      `UPDATE sections SET ${assignments.join(', ')} WHERE slug = ${params.add(slug)} RETURNING ${columns}`,
      params.values,
    ),
  );
  return section;
}

/** Removes a section unless the theme brought it. @returns whether it did. */
export async function deleteSectionRow(sql: Queryable, slug: string): Promise<boolean> {
  const removed = await sql.query("DELETE FROM sections WHERE slug = $1 AND source <> 'theme' RETURNING id", [
    slug,
  ]);
  return removed.length > 0;
}

async function withConflictError<Result>(slug: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation) || error.constraint !== 'sections_slug') throw error;
    throw new QuireError('CONFLICT', `Section '${slug}' already exists`, { cause: error });
  }
}
