import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  insertRow,
  jsonPairsOf,
  Parameters,
  sqlState,
  type Queryable,
  type Row,
  type Transaction,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { sameLocale } from '../../locales/index.js';
import { MenuItem } from './menu-item.entity.js';
import type { MenuItemResponse } from './menu-items.repository.js';
import { Menu } from './menu.entity.js';
import type { MenuListItem, MenuTranslations, MenuUpdate } from './menus.schemas.js';

export type StoredMenu = Row<Menu>;

const columns = columnsOf(Menu, { of: 'm' });

/** The items of menu `m` in order. */
const itemsOfMenu = `coalesce((
  SELECT json_agg(json_build_object(${jsonPairsOf(MenuItem, { of: 'i' })}, 'locale', m.locale)
    ORDER BY i.sort_order, i.id) FROM menu_items i WHERE i.menu_id = m.id), '[]')`;

/** The menu of a name and a locale; without a locale that of the preferred one if any, else of the lowest code. */
const addressed = `m.name = $1 AND ($2::text IS NULL OR ${sameLocale('m.locale', '$2')})
  ORDER BY (m.locale IS NOT DISTINCT FROM coalesce($2, $3)) DESC, m.locale COLLATE "C" LIMIT 1`;

/** @returns menus with the number of their items, by name, then locale. */
export async function selectMenus(sql: Queryable, locale: string | undefined): Promise<MenuListItem[]> {
  return sql.query<MenuListItem>(
    `SELECT ${columns}, (SELECT count(*) FROM menu_items i WHERE i.menu_id = m.id) AS "itemCount"
     FROM menus m WHERE $1::text IS NULL OR ${sameLocale('m.locale', '$1')} ORDER BY m.name, m.locale COLLATE "C"`,
    [locale ?? null],
  );
}

/** @returns one menu with its items, in one statement, so that both are of one snapshot. */
export async function selectMenuWithItems(
  sql: Queryable,
  { name, locale, preferred }: { name: string; locale: string | undefined; preferred: string | null },
): Promise<(StoredMenu & { items: MenuItemResponse[] }) | undefined> {
  const [menu] = await sql.query<StoredMenu & { items: MenuItemResponse[] }>(
    `SELECT ${columns}, ${itemsOfMenu} AS items FROM menus m WHERE ${addressed}`,
    [name, locale ?? null, preferred],
  );
  return menu;
}

/** @returns the translation group of the menu with this id, or with this group. */
export async function selectTranslationGroup(sql: Queryable, id: string): Promise<string | undefined> {
  const [menu] = await sql.query<{ translationGroup: string }>(
    `SELECT translation_group AS "translationGroup" FROM menus WHERE id = $1 OR translation_group = $1
     ORDER BY (id = $1) DESC LIMIT 1`,
    [id],
  );
  return menu?.translationGroup;
}

/** @returns the menus of a translation group by locale. */
export async function selectTranslations(
  sql: Queryable,
  translationGroup: string,
): Promise<MenuTranslations['translations']> {
  return sql.query(
    `SELECT ${columnsOf(Menu, { only: ['id', 'name', 'label', 'locale', 'updatedAt'] })} FROM menus
     WHERE translation_group = $1 ORDER BY locale COLLATE "C"`,
    [translationGroup],
  );
}

/** Locks the menus of a name, or the one of a locale, until the transaction ends. */
export async function lockMenus(
  tx: Transaction,
  name: string,
  locale: string | undefined,
): Promise<StoredMenu[]> {
  return tx.query<StoredMenu>(
    `SELECT ${columns} FROM menus m WHERE m.name = $1 AND ($2::text IS NULL OR ${sameLocale('m.locale', '$2')})
     ORDER BY m.id FOR UPDATE`,
    [name, locale ?? null],
  );
}

/** Locks the menu to translate, by its id or its group's: its items do not change until the transaction ends. */
export async function lockSourceMenu(tx: Transaction, id: string): Promise<StoredMenu | undefined> {
  const [menu] = await tx.query<StoredMenu>(
    `SELECT ${columns} FROM menus m WHERE m.id = $1 OR m.translation_group = $1
     ORDER BY (m.id = $1) DESC, m.id LIMIT 1 FOR SHARE`,
    [id],
  );
  return menu;
}

/** @throws QuireError CONFLICT when the name or the group has a menu in this locale. */
export async function insertMenu(
  tx: Transaction,
  menu: Omit<StoredMenu, 'createdAt' | 'updatedAt'>,
): Promise<StoredMenu> {
  try {
    return await insertRow(tx, Menu, menu);
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    const { name, locale } = menu;
    const message =
      error.constraint === 'menus_translation_group_locale'
        ? `The menu already has a translation in '${locale}'`
        : `Menu '${name}' already exists in '${locale}'`;
    throw new QuireError('CONFLICT', message, { cause: error });
  }
}

/** Updates the given columns of a locked menu, and its `updatedAt`. */
export async function updateMenuRow(
  tx: Transaction,
  id: string,
  update: MenuUpdate = {},
): Promise<StoredMenu> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(Menu, update, params), 'updated_at = now()'];
  const [menu] = await tx.query<StoredMenu>(
    `UPDATE menus m SET ${assignments.join(', ')} WHERE m.id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  if (!menu) throw new Error('Locked menu not found');
  return menu;
}

/** Deletes a locked menu with its items. */
export async function deleteMenuRow(tx: Transaction, id: string): Promise<void> {
  await tx.query('DELETE FROM menus WHERE id = $1', [id]);
}
