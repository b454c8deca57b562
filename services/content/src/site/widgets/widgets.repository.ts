import { hasSqlState, Parameters, sqlState, type Queryable, type Transaction } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import type {
  WidgetAreaResponse,
  AreaInput,
  AreaWithWidgets,
  WidgetResponse,
  WidgetInput,
  WidgetUpdate,
} from './widgets.schemas.js';
import type { WidgetType } from './widget.entity.js';

interface AreaRow {
  id: string;
  name: string;
  label: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

interface WidgetRow {
  id: string;
  type: WidgetType;
  title: string | null;
  content: Record<string, unknown>[] | null;
  menuName: string | null;
  componentId: string | null;
  componentProps: Record<string, unknown> | null;
}

const areaColumns = 'id, name, label, description, created_at AS "createdAt", updated_at AS "updatedAt"';
const widgetColumns = `id, type, title, content, menu_name AS "menuName", component_id AS "componentId",
  component_props AS "componentProps"`;

/** Every area with its widgets in order, by name; with `name` that area alone. */
export async function selectAreas(sql: Queryable, name?: string): Promise<AreaWithWidgets[]> {
  // One statement, so that an area is never shown with widgets of another moment.
  const rows = await sql.query<AreaRow & { widgets: WidgetRow[] }>(
    `SELECT ${areaColumns}, coalesce((
       SELECT json_agg(w ORDER BY w.sort_order, w.id) FROM (
         SELECT ${widgetColumns}, sort_order FROM widgets WHERE area_id = a.id
       ) w), '[]') AS widgets
     FROM widget_areas a WHERE $1::text IS NULL OR name = $1 ORDER BY name`,
    [name ?? null],
  );
  return rows.map(({ widgets, ...area }) => ({
    ...toWidgetAreaResponse(area),
    widgets: widgets.map(toWidgetResponse),
  }));
}

/** @throws QuireError CONFLICT when the name is taken. */
export async function insertArea(
  sql: Queryable,
  { name, label, description }: AreaInput,
): Promise<WidgetAreaResponse> {
  try {
    const [area] = await sql.query<AreaRow>(
      `INSERT INTO widget_areas (id, name, label, description) VALUES ($1, $2, $3, $4) RETURNING ${areaColumns}`,
      [ulid(), name, label, description ?? null],
    );
    return toWidgetAreaResponse(present(area));
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    throw new QuireError('CONFLICT', `Widget area '${name}' already exists`, { cause: error });
  }
}

/** Removes an area with its widgets. @returns whether there was one. */
export async function deleteAreaRow(sql: Queryable, name: string): Promise<boolean> {
  return (await sql.query('DELETE FROM widget_areas WHERE name = $1 RETURNING id', [name])).length > 0;
}

/**
 * Holds an area until the transaction ends, and notes that it changes: writers of its widgets go one after the other.
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

/** The ids of a held area's widgets, in order. */
export async function selectWidgetIds(tx: Transaction, areaId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM widgets WHERE area_id = $1 ORDER BY sort_order, id',
    [areaId],
  );
  return rows.map(({ id }) => id);
}

/** Adds a widget behind the others of a held area. */
export async function insertWidget(
  tx: Transaction,
  areaId: string,
  input: WidgetInput,
): Promise<WidgetResponse> {
  const [widget] = await tx.query<WidgetRow>(
    `INSERT INTO widgets (id, area_id, sort_order, type, title, content, menu_name, component_id, component_props)
     VALUES ($1, $2, (SELECT coalesce(max(sort_order) + 1, 0) FROM widgets WHERE area_id = $2), $3, $4, $5, $6, $7, $8)
     RETURNING ${widgetColumns}`,
    [
      ulid(),
      areaId,
      input.type,
      input.title ?? null,
      jsonOf(input.content),
      input.menuName ?? null,
      input.componentId ?? null,
      jsonOf(input.componentProps),
    ],
  );
  return toWidgetResponse(present(widget));
}

/** Writes what is sent; a null clears. @returns undefined when the area has no such widget. */
export async function updateWidgetRow(
  tx: Transaction,
  areaId: string,
  id: string,
  change: WidgetUpdate,
): Promise<WidgetResponse | undefined> {
  const params = new Parameters();
  const assignments: string[] = [];
  const set = (column: string, value: unknown, cast: string) => {
    if (value !== undefined) assignments.push(`${column} = ${params.add(value, cast)}`);
  };
  set('type', change.type, 'text');
  set('title', change.title, 'text');
  set('content', change.content && jsonOf(change.content), 'json');
  set('menu_name', change.menuName, 'text');
  set('component_id', change.componentId, 'text');
  set('component_props', change.componentProps && jsonOf(change.componentProps), 'json');
  const [widget] = await tx.query<WidgetRow>(
    `UPDATE widgets SET ${assignments.join(', ')}
     WHERE area_id = ${params.add(areaId)} AND id = ${params.add(id)} RETURNING ${widgetColumns}`,
    params.values,
  );
  return widget && toWidgetResponse(widget);
}

/** @returns whether the area had the widget. */
export async function deleteWidgetRow(tx: Transaction, areaId: string, id: string): Promise<boolean> {
  const removed = await tx.query('DELETE FROM widgets WHERE area_id = $1 AND id = $2 RETURNING id', [
    areaId,
    id,
  ]);
  return removed.length > 0;
}

/** Gives widgets of a held area their places in the list; those not named keep theirs. */
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

function toWidgetAreaResponse(area: AreaRow): WidgetAreaResponse {
  return { ...area, created_at: area.createdAt, updated_at: area.updatedAt };
}

/** What is not set is absent. */
function toWidgetResponse(row: WidgetRow): WidgetResponse {
  const { id, type, title, content, menuName, componentId, componentProps } = row;
  return {
    id,
    type,
    ...(title === null ? {} : { title }),
    ...(content === null ? {} : { content }),
    ...(menuName === null ? {} : { menuName }),
    ...(componentId === null ? {} : { componentId }),
    ...(componentProps === null ? {} : { componentProps }),
  };
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function present<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('INSERT returned no row');
  return row;
}
