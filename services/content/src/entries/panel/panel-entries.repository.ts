import { isReadAsText, type FieldDefinition } from '@quire/content-model';
import { identifier, literal, Parameters, type Queryable } from '@quire/database';
import { creditsOfEntry } from '../../bylines/credits/index.js';
import { stagedSelectionsKey, storedCount, type CollectionDefinition } from '../../schema/index.js';
import type { EntryRow } from '../entry-row.js';
import { isChanged, overdue } from '../repository/entry-states.js';
import { lockOfEntry } from '../repository/lease-conditions.js';
import { fromEntries, listConditions, type ListFilters } from '../repository/list-conditions.js';
import { maxPanelCount, type PanelEntry } from './panel-entries.schemas.js';

/** An entry as the panel lists it: its shown fields, and of its draft only these. */
export interface PanelRow extends EntryRow {
  editedAt: string | null;
  isChanged: boolean;
  isOverdue: boolean;
  _translations: PanelEntry['translations'] | null;
  /** Number of live links by field of a relation. */
  _links: Record<string, number> | null;
}

/** The select list of an entry `e` as `PanelRow`. @param shown the fields with a value in the response */
export function panelColumns(
  definition: CollectionDefinition,
  shown: readonly FieldDefinition[],
  defaultLocale: string,
): string {
  const slugs = new Set(shown.map(({ slug }) => slug));
  const columns = definition.columns.filter(({ slug }) => slugs.has(slug)).map(shownColumn);
  const members = ['_slug', stagedSelectionsKey, ...slugs].map(literal).join(', ');
  return [
    `/* ${definition.statementKey} */ e.id, e.slug, e.status, e.author_id AS "authorId", e._locale,
    e._translation_group AS _group, e.created_at AS "createdAt", e.updated_at AS "updatedAt",
    e._edited_at AS "editedAt", e.published_at AS "publishedAt", e.scheduled_at AS "scheduledAt",
    e.deleted_at AS "deletedAt", ${isChanged('e')} AS "isChanged", coalesce(${overdue}, false) AS "isOverdue",
    ${creditsOfEntry(defaultLocale)} AS _bylines, ${lockOfEntry} AS _lock`,
    `(SELECT json_agg(json_build_object('id', t.id, 'locale', t._locale, 'status', t.status,
        'isChanged', ${isChanged('t')}) ORDER BY t._locale)
      FROM ${identifier(definition.table)} t
      WHERE t._translation_group = e._translation_group AND t.id <> e.id AND t.deleted_at IS NULL) AS _translations`,
    `(SELECT coalesce((SELECT json_object_agg(m.key, m.value) FROM json_each(d.data) m WHERE m.key IN (${members})),
        '{}'::json) FROM revisions d WHERE d.id = e.draft_revision_id) AS _draft`,
    `${linkCounts(definition, slugs)} AS _links`,
    ...columns,
  ].join(', ');
}

function shownColumn(field: FieldDefinition): string {
  const column = identifier(field.slug);
  return isReadAsText(field) ? `e.${column}::text AS ${column}` : `e.${column}`;
}

function linkCounts({ references }: CollectionDefinition, shown: ReadonlySet<string>): string {
  const counts = references
    .filter(({ field }) => shown.has(field))
    .map(
      ({ field, relationId, side }) => `${literal(field)}, (SELECT count(*) FROM reference_links l
        WHERE l.relation_id = ${literal(relationId)} AND l.${side}_group = e._translation_group)`,
    );
  return counts.length === 0 ? 'NULL::json' : `json_build_object(${counts.join(', ')})`;
}

/** Counts the entries of lists, each up to `maxPanelCount`, in one statement. @param lists their filters by name */
export async function countLists<Name extends string>(
  sql: Queryable,
  definition: CollectionDefinition,
  lists: Readonly<Record<Name, ListFilters>>,
  defaultLocale: string,
): Promise<Record<Name, number>> {
  const params = new Parameters();
  const counts = Object.entries<ListFilters>(lists).map(([name, filters]) => {
    const { all, counts: stored } = listConditions(definition, filters, defaultLocale, params);
    const count =
      definition.isCounted && stored
        ? `least(${storedCount(definition.table, stored)}, ${maxPanelCount})`
        : `(SELECT count(*) FROM (SELECT 1 FROM ${fromEntries(definition)} WHERE ${all.join(' AND ')}
             LIMIT ${maxPanelCount}) n)`;
    return `${count} AS ${identifier(name)}`;
  });
  const text = `/* ${definition.statementKey} */ SELECT ${counts.join(', ')}`;
  const [row] = await sql.query<Record<Name, number>>({ prepared: true, text, values: params.values });
  if (!row) throw new Error('counts are always one row');
  return row;
}
