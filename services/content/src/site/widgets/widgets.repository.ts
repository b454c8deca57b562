import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  insertRow,
  Parameters,
  sqlState,
  type Queryable,
  type Row,
  type Transaction,
} from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { WidgetArea } from './widget-area.entity.js';
import { Widget } from './widget.entity.js';
import type { AreaInput, WidgetInput, WidgetUpdate } from './widgets.schemas.js';

export type StoredArea = Row<WidgetArea>;
export type StoredWidget = Row<Widget>;
export type AreaWithStoredWidgets = StoredArea & { widgets: StoredWidget[] };

const widgetColumns = columnsOf(Widget);

/** @returns every area, or the one of a name, with its widgets in order, by name. */
export async function selectAreas(sql: Queryable, name?: string): Promise<AreaWithStoredWidgets[]> {
  // One statement, so that an area and its widgets are of one snapshot.
  return sql.query<AreaWithStoredWidgets>(
    `SELECT ${columnsOf(WidgetArea, { of: 'a' })}, coalesce((
       SELECT json_agg(w ORDER BY w."sortOrder", w.id) FROM (
         SELECT ${widgetColumns} FROM widgets WHERE area_id = a.id
       ) w), '[]') AS widgets
     FROM widget_areas a WHERE $1::text IS NULL OR a.name = $1 ORDER BY a.name`,
    [name ?? null],
  );
}

/** @throws QuireError CONFLICT when the name is taken. */
export async function insertArea(sql: Queryable, input: AreaInput): Promise<StoredArea> {
  try {
    return await insertRow(sql, WidgetArea, { id: ulid(), ...input });
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    throw new QuireError('CONFLICT', `Widget area '${input.name}' already exists`, { cause: error });
  }
}

/** Deletes an area with its widgets. @returns whether a row was deleted. */
export async function deleteAreaRow(sql: Queryable, name: string): Promise<boolean> {
  return (await sql.query('DELETE FROM widget_areas WHERE name = $1 RETURNING id', [name])).length > 0;
}

/**
 * Locks an area until the transaction ends and sets its `updatedAt`: changes of its widgets run one after the other.
 * @returns its id. @throws QuireError NOT_FOUND.
 */
export async function lockArea(tx: Transaction, name: string): Promise<string> {
  const [area] = await tx.query<{ id: string }>(
    'UPDATE widget_areas SET updated_at = now() WHERE name = $1 RETURNING id',
    [name],
  );
  if (!area) throw notFound('widget area');
  return area.id;
}

/** @returns the ids and sort orders of an area's widgets, in order. */
export async function selectWidgetPlaces(
  tx: Transaction,
  areaId: string,
): Promise<Pick<StoredWidget, 'id' | 'sortOrder'>[]> {
  return tx.query(
    `SELECT ${columnsOf(Widget, { only: ['id', 'sortOrder'] })} FROM widgets
     WHERE area_id = $1 ORDER BY sort_order, id`,
    [areaId],
  );
}

export function insertWidget(
  tx: Transaction,
  widget: WidgetInput & Pick<StoredWidget, 'areaId' | 'sortOrder'>,
): Promise<StoredWidget> {
  return insertRow(tx, Widget, { id: ulid(), ...widget });
}

/** Updates the given columns, at least one; null clears one. @returns undefined when the area has no such widget. */
export async function updateWidgetRow(
  tx: Transaction,
  { areaId, id, update }: { areaId: string; id: string; update: WidgetUpdate },
): Promise<StoredWidget | undefined> {
  const params = new Parameters();
  const [widget] = await tx.query<StoredWidget>(
    `UPDATE widgets SET ${assignmentsOf(Widget, update, params).join(', ')}
     WHERE area_id = ${params.add(areaId)} AND id = ${params.add(id)} RETURNING ${widgetColumns}`,
    params.values,
  );
  return widget;
}

/** @returns whether a row was deleted. */
export async function deleteWidgetRow(
  tx: Transaction,
  { areaId, id }: { areaId: string; id: string },
): Promise<boolean> {
  const deleted = await tx.query('DELETE FROM widgets WHERE area_id = $1 AND id = $2 RETURNING id', [
    areaId,
    id,
  ]);
  return deleted.length > 0;
}

/** Sets the sort order of the listed widgets of a locked area; the others keep theirs. */
export async function updateWidgetOrder(
  tx: Transaction,
  areaId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE widgets SET sort_order = array_position($2::text[], id) - 1 WHERE area_id = $1 AND id = ANY($2::text[])`,
    [areaId, ids],
  );
}
