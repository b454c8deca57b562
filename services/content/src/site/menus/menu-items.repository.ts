import {
  assignmentsOf,
  columnsOf,
  identifier,
  insertRows,
  Parameters,
  type Queryable,
  type Row,
  type Transaction,
} from '@quire/database';
import { MenuItem } from './menu-item.entity.js';
import type { Menu } from './menu.entity.js';
import type { Placement } from './menu-tree.policy.js';
import type { MenuItemUpdate } from './menus.schemas.js';

type StoredItem = Row<MenuItem>;
type MenuKey = Pick<Row<Menu>, 'id' | 'locale'>;

/** An item with the locale of its menu. */
export type MenuItemResponse = StoredItem & { locale: string };
export type NewMenuItem = Omit<StoredItem, 'menuId' | 'createdAt'>;

const columns = columnsOf(MenuItem);

/** @returns the items of a menu in order. */
export async function selectMenuItems(tx: Transaction, menu: MenuKey): Promise<MenuItemResponse[]> {
  const items = await tx.query<StoredItem>(
    `SELECT ${columns} FROM menu_items WHERE menu_id = $1 ORDER BY sort_order, id`,
    [menu.id],
  );
  return items.map((item) => toMenuItemResponse(item, menu));
}

/** Stores items in one statement: a parent may come after its children. */
export async function insertMenuItems(
  tx: Transaction,
  menu: MenuKey,
  items: readonly NewMenuItem[],
): Promise<MenuItemResponse[]> {
  const rows = await insertRows(
    tx,
    MenuItem,
    items.map((item) => ({ ...item, menuId: menu.id })),
  );
  return rows.map((item) => toMenuItemResponse(item, menu));
}

/** Updates the given columns; null clears one. @returns undefined when the menu has no such item. */
export async function updateMenuItemRow(
  tx: Transaction,
  menu: MenuKey,
  { id, update }: { id: string; update: MenuItemUpdate },
): Promise<MenuItemResponse | undefined> {
  const params = new Parameters();
  const assignments = ['id = id', ...assignmentsOf(MenuItem, update, params)];
  const [item] = await tx.query<StoredItem>(
    `UPDATE menu_items SET ${assignments.join(', ')}
     WHERE menu_id = ${params.add(menu.id)} AND id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  return item && toMenuItemResponse(item, menu);
}

/** Sets the parents and places of items of a locked menu. */
export async function updateItemPlacements(
  tx: Transaction,
  menuId: string,
  placements: readonly Placement[],
): Promise<void> {
  await tx.query(
    `UPDATE menu_items m SET parent_id = p.parent_id, sort_order = p.sort_order
     FROM unnest($2::text[], $3::text[], $4::integer[]) AS p (id, parent_id, sort_order)
     WHERE m.menu_id = $1 AND m.id = p.id`,
    [
      menuId,
      placements.map(({ id }) => id),
      placements.map(({ parentId }) => parentId),
      placements.map(({ sortOrder }) => sortOrder),
    ],
  );
}

/** Deletes an item that has no children. */
export async function deleteMenuItemRow(tx: Transaction, menuId: string, id: string): Promise<void> {
  await tx.query('DELETE FROM menu_items WHERE menu_id = $1 AND id = $2', [menuId, id]);
}

/** Deletes every item of a menu. */
export async function deleteMenuItems(tx: Transaction, menuId: string): Promise<void> {
  await tx.query('DELETE FROM menu_items WHERE menu_id = $1', [menuId]);
}

/** @returns the translation groups of the terms of these ids, by id. */
export async function selectTermGroups(sql: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; group: string }>(
    'SELECT id, group_id AS "group" FROM terms WHERE id = ANY($1)',
    [ids],
  );
  return new Map(rows.map(({ id, group }) => [id, group]));
}

/** @returns the translation groups of the entries of these ids, trashed ones included, by id. */
export async function selectEntryGroups(
  sql: Queryable,
  table: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; group: string }>(
    `SELECT id, _translation_group AS "group" FROM ${identifier(table)} WHERE id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, group }) => [id, group]));
}

function toMenuItemResponse(item: StoredItem, { locale }: MenuKey): MenuItemResponse {
  return { ...item, locale };
}
