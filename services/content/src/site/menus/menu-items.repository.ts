import { Parameters, type Transaction } from '@quire/database';
import type { MenuItemType } from './menu-item.entity.js';
import type { Placement } from './menu-tree.policy.js';
import type { MenuItemResponse, MenuItemUpdate } from './menus.schemas.js';

const columns = `id, menu_id AS "menuId", parent_id AS "parentId", sort_order AS "sortOrder", type,
  reference_collection AS "referenceCollection", reference_id AS "referenceId", custom_url AS "customUrl", label,
  title_attr AS "titleAttr", target, css_classes AS "cssClasses", created_at AS "createdAt",
  translation_group AS "translationGroup",
  (SELECT locale FROM menus WHERE menus.id = menu_id) AS locale`;

/** An item as it is stored in a menu. */
export interface NewMenuItem {
  id: string;
  parentId: string | null;
  sortOrder: number;
  type: MenuItemType;
  referenceCollection: string | null;
  referenceId: string | null;
  customUrl: string | null;
  label: string;
  titleAttr: string | null;
  target: string | null;
  cssClasses: string | null;
  translationGroup: string;
}

/** The items of a menu in order. */
export async function selectMenuItems(tx: Transaction, menuId: string): Promise<MenuItemResponse[]> {
  return tx.query<MenuItemResponse>(
    `SELECT ${columns} FROM menu_items WHERE menu_id = $1 ORDER BY sort_order, id`,
    [menuId],
  );
}

/** Stores items in one statement: a parent may stand behind its children. */
export async function insertMenuItems(
  tx: Transaction,
  menuId: string,
  items: readonly NewMenuItem[],
): Promise<MenuItemResponse[]> {
  return tx.query<MenuItemResponse>(
    `INSERT INTO menu_items (id, menu_id, parent_id, sort_order, type, reference_collection, reference_id, custom_url,
       label, title_attr, target, css_classes, translation_group)
     SELECT id, $1, "parentId", "sortOrder", type, "referenceCollection", "referenceId", "customUrl", label,
       "titleAttr", target, "cssClasses", "translationGroup"
     FROM json_to_recordset($2::json) AS item (
       id text, "parentId" text, "sortOrder" integer, type text, "referenceCollection" text, "referenceId" text,
       "customUrl" text, label text, "titleAttr" text, target text, "cssClasses" text, "translationGroup" text)
     RETURNING ${columns}`,
    [menuId, JSON.stringify(items)],
  );
}

/** Writes what is sent; a null clears. @returns undefined when the menu has no such item. */
export async function updateMenuItemRow(
  tx: Transaction,
  menuId: string,
  id: string,
  change: MenuItemUpdate,
): Promise<MenuItemResponse | undefined> {
  const params = new Parameters();
  const assignments = ['id = id'];
  const set = (column: string, value: unknown, cast: string) => {
    if (value !== undefined) assignments.push(`${column} = ${params.add(value, cast)}`);
  };
  set('label', change.label, 'text');
  set('custom_url', change.customUrl, 'text');
  set('title_attr', change.titleAttr, 'text');
  set('target', change.target, 'text');
  set('css_classes', change.cssClasses, 'text');
  set('parent_id', change.parentId, 'text');
  set('sort_order', change.sortOrder, 'integer');
  const [item] = await tx.query<MenuItemResponse>(
    `UPDATE menu_items SET ${assignments.join(', ')}
     WHERE menu_id = ${params.add(menuId)} AND id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  return item;
}

/** Gives items of a held menu their parents and places. */
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

/** Removes an item that has no children. */
export async function deleteMenuItemRow(tx: Transaction, menuId: string, id: string): Promise<void> {
  await tx.query('DELETE FROM menu_items WHERE menu_id = $1 AND id = $2', [menuId, id]);
}

/** Removes every item of a menu. */
export async function deleteMenuItems(tx: Transaction, menuId: string): Promise<void> {
  await tx.query('DELETE FROM menu_items WHERE menu_id = $1', [menuId]);
}
