import { cursorScope, identifier, KeysetPage, literal } from '@quire/database';
import {
  contentTableName,
  otherSide,
  stagedSelectionsKey,
  type RelationReference,
  type CollectionDefinition,
  type RelationSide,
} from '../../schema/index.js';

/** A linked entry in responses (contract 10, EntryRef). */
export interface EntryRef {
  id: string;
  slug: string | null;
  collection: string;
  title: string | null;
  locale: string | null;
  translationGroup: string | null;
  /** Only for children: they have an order. */
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

/** The view of a caller: editors see staged selections, and targets that are not published. */
export interface SelectionView {
  canSeeDrafts: boolean;
  defaultLocale: string;
}

/** Linked entries per field in a single read (spec document 1, Limits). */
export const firstPageSize = 50;

/**
 * SQL of a page of the entries that entry `e` (with its draft `d`) selects: a JSON list of at most `limit` linked
 * entries, each in the entry's locale, else the default one, else any. Entries in the trash and those that the caller
 * may not see are left out.
 */
export function linkedEntries(
  reference: RelationReference,
  view: SelectionView,
  { limit, after = 'true' }: { limit: string | number; after?: string },
): string {
  const branches = selectedGroups(reference, view).map(
    (groups) => `(SELECT t.id, t.slug, t.title, t.locale, s.grp, s.place
      FROM (${groups}) s CROSS JOIN LATERAL (${targetOf(reference, view)}) t
      WHERE ${after} ORDER BY s.place, s.grp LIMIT ${limit})`,
  );
  return `(SELECT coalesce(json_agg(json_build_object('id', x.id, 'slug', x.slug, 'collection', ${literal(reference.target)},
      'title', x.title, 'locale', x.locale, 'translationGroup', x.grp, 'place', x.place) ORDER BY x.place, x.grp), '[]'::json)
    FROM (${branches.join(' UNION ALL ')}) x)`;
}

/** SQL of the entry that represents the selected group `s` for entry `e`. */
function targetOf({ target, titleColumn }: RelationReference, view: SelectionView): string {
  const title = titleColumn === null ? 'NULL::text' : `t.${identifier(titleColumn)}`;
  const isVisible = view.canSeeDrafts ? '' : `AND t.status = 'published'`;
  return `SELECT t.id, t.slug, ${title} AS title, t._locale AS locale FROM ${identifier(contentTableName(target))} t
    WHERE t._translation_group = s.grp AND t.deleted_at IS NULL ${isVisible}
    ORDER BY (t._locale = e._locale) DESC, (t._locale = ${literal(view.defaultLocale)}) DESC, t._locale LIMIT 1`;
}

/**
 * SQL of the selected groups and their positions; parents have no order. At most one of the statements has rows: that
 * of the live links, or that of the staged selection. Each is ordered and limited on its own, so that an index gives
 * the page of live links in its order.
 */
function selectedGroups(
  { field, relationId, side }: RelationReference,
  { canSeeDrafts }: SelectionView,
): string[] {
  const place = side === 'parent' ? 'l.sort_order' : '0';
  const live = `SELECT l.${otherSide(side)}_group AS grp, ${place} AS place FROM reference_links l
    WHERE l.relation_id = ${literal(relationId)} AND l.${side}_group = e._translation_group`;
  if (!canSeeDrafts || field === '') return [live];
  const staged = `d.data -> '${stagedSelectionsKey}' -> ${literal(field)}`;
  const stagedPlace = side === 'parent' ? '(w.position - 1)::integer' : '0';
  return [
    `${live} AND ${staged} IS NULL`,
    `SELECT w.grp, ${stagedPlace} AS place
    FROM json_array_elements_text(coalesce(${staged}, '[]'::json)) WITH ORDINALITY AS w (grp, position)`,
  ];
}

/** SQL of the first pages of all selections of entry `e`, by field. A VALUES list has no limit of 100 arguments. */
export function firstPages({ references }: CollectionDefinition, view: SelectionView): string {
  const pages = references.map(
    (reference) =>
      `(${literal(reference.field)}, ${linkedEntries(reference, view, { limit: firstPageSize + 1 })})`,
  );
  return `(SELECT json_object_agg(p.field, p.page) FROM (VALUES ${pages.join(', ')}) p (field, page))`;
}

/** Linked entries are ordered by position, then by group; parents have no position. */
export const linkedOrder = (side: RelationSide) =>
  ({
    column: 's.place',
    idColumn: 's.grp',
    direction: 'asc',
    cast: 'integer',
    isConstant: side === 'child',
  }) as const;

/** The scope of cursors of linked entries. */
export function linkedScope(
  tenantId: string,
  { relationId, side }: RelationReference,
  group: string,
): string {
  return cursorScope({ operation: 'references', tenant: tenantId, relationId, side, group });
}

/** @param rows one more than the page has, if there is a next page */
export function referencePage(
  rows: readonly LinkedRow[],
  limit: number,
  { reference, scope }: { reference: RelationReference; scope: string },
): ReferencePage {
  const positionOf = ({ place, translationGroup }: LinkedRow) => ({
    value: place,
    id: translationGroup ?? '',
  });
  const page = new KeysetPage(linkedOrder(reference.side), scope, { limit }).cut(rows, positionOf);
  const items = page.items.map(({ place, ...linked }) =>
    reference.side === 'parent' ? { ...linked, sortOrder: place } : linked,
  );
  return { ...page, items };
}
