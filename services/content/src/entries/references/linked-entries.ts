import { cursorScope, identifier, KeysetPage, literal } from '@quire/database';
import {
  contentTableName,
  otherSide,
  stagedSelectionsKey,
  type RelationReference,
  type CollectionDefinition,
} from '../../schema/index.js';

/** A linked entry as the API answers it (contract 10, EntryRef). */
export interface EntryRef {
  id: string;
  slug: string | null;
  collection: string;
  title: string | null;
  locale: string | null;
  translationGroup: string | null;
  /** Only on the end that keeps an order. */
  sortOrder?: number;
}

export interface ReferencePage {
  items: EntryRef[];
  nextCursor?: string;
}

/** A linked entry as statements return it. */
export interface LinkedRow extends Omit<EntryRef, 'sortOrder'> {
  place: number;
}

/** Who looks: editors see what waits in drafts, and targets that are not published. */
export interface SelectionView {
  canSeeDrafts: boolean;
  defaultLocale: string;
}

/** References of a single read, per field (spec document 1, Limits). */
export const firstPageSize = 50;

/**
 * SQL of one page of what entry `e` (its draft `d` beside it) selects: a JSON list of at most `limit` linked entries,
 * each in the entry's locale, else the default one, else any; those in the trash and those the caller may not see are
 * left out.
 */
export function linkedEntries(
  reference: RelationReference,
  view: SelectionView,
  { limit, after = 'true' }: { limit: string | number; after?: string },
): string {
  const { target, titleColumn } = reference;
  const title = titleColumn === null ? 'NULL::text' : `t.${identifier(titleColumn)}`;
  const isVisible = view.canSeeDrafts ? '' : `AND t.status = 'published'`;
  return `(SELECT coalesce(json_agg(json_build_object('id', x.id, 'slug', x.slug, 'collection', ${literal(target)},
      'title', x.title, 'locale', x.locale, 'translationGroup', x.grp, 'place', x.place) ORDER BY x.place, x.grp), '[]'::json)
    FROM (
      SELECT t.id, t.slug, t.title, t.locale, s.grp, s.place
      FROM (${selectedGroups(reference, view)}) s
      CROSS JOIN LATERAL (
        SELECT t.id, t.slug, ${title} AS title, t._locale AS locale FROM ${identifier(contentTableName(target))} t
        WHERE t._translation_group = s.grp AND t.deleted_at IS NULL ${isVisible}
        ORDER BY (t._locale = e._locale) DESC, (t._locale = ${literal(view.defaultLocale)}) DESC, t._locale LIMIT 1
      ) t
      WHERE ${after} ORDER BY s.place, s.grp LIMIT ${limit}
    ) x)`;
}

/** Rows of selected groups and their places; the child end of a relation keeps no order. */
function selectedGroups(
  { field, relationId, side }: RelationReference,
  { canSeeDrafts }: SelectionView,
): string {
  const place = side === 'parent' ? 'l.sort_order' : '0';
  const live = `SELECT l.${otherSide(side)}_group AS grp, ${place} AS place FROM reference_links l
    WHERE l.relation_id = ${literal(relationId)} AND l.${side}_group = e._translation_group`;
  if (!canSeeDrafts || field === '') return live;
  const staged = `d.data -> '${stagedSelectionsKey}' -> ${literal(field)}`;
  const stagedPlace = side === 'parent' ? '(w.position - 1)::integer' : '0';
  return `${live} AND ${staged} IS NULL
    UNION ALL SELECT w.grp, ${stagedPlace}
    FROM json_array_elements_text(coalesce(${staged}, '[]'::json)) WITH ORDINALITY AS w (grp, position)`;
}

/**
 * SQL of the first pages of all selections of entry `e`, by field. A function takes a hundred arguments, fields may be
 * more.
 */
export function firstPages({ references }: CollectionDefinition, view: SelectionView): string {
  const pages = references.map(
    (reference) =>
      `(${literal(reference.field)}, ${linkedEntries(reference, view, { limit: firstPageSize + 1 })})`,
  );
  return `(SELECT json_object_agg(p.field, p.page) FROM (VALUES ${pages.join(', ')}) p (field, page))`;
}

/** How linked entries are ordered: places, and groups where the relation keeps no order. */
export const linkedOrder = {
  column: 's.place',
  idColumn: 's.grp',
  direction: 'asc',
  cast: 'integer',
} as const;

/** What a cursor of linked entries is bound to. */
export function linkedScope(
  tenantId: string,
  { relationId, side }: RelationReference,
  group: string,
): string {
  return cursorScope({ operation: 'references', tenant: tenantId, relationId, side, group });
}

/** A page of linked entries from rows of which one more was read than the page takes. */
export function referencePage(
  rows: readonly LinkedRow[],
  limit: number,
  { reference, scope }: { reference: RelationReference; scope: string },
): ReferencePage {
  const positionOf = ({ place, translationGroup }: LinkedRow) => ({
    value: place,
    id: translationGroup ?? '',
  });
  const page = new KeysetPage(linkedOrder, scope, { limit }).cut(rows, positionOf);
  const items = page.items.map(({ place, ...linked }) =>
    reference.side === 'parent' ? { ...linked, sortOrder: place } : linked,
  );
  return { ...page, items };
}
