import { hasSqlState, sqlState, type Queryable, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { sameLocale } from '../../locales/index.js';
import type { MenuResponse, MenuListItem, MenuTranslations, MenuWithItems } from './menus.schemas.js';

const columns = `m.id, m.name, m.label, m.locale, m.translation_group AS "translationGroup",
  m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

/** The items of menu `m` in order. */
const itemsOfMenu = `coalesce((
  SELECT json_agg(json_build_object(
    'id', i.id, 'menuId', i.menu_id, 'parentId', i.parent_id, 'sortOrder', i.sort_order, 'type', i.type,
    'referenceCollection', i.reference_collection, 'referenceId', i.reference_id, 'customUrl', i.custom_url,
    'label', i.label, 'titleAttr', i.title_attr, 'target', i.target, 'cssClasses', i.css_classes,
    'createdAt', to_char(i.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'locale', m.locale, 'translationGroup', i.translation_group) ORDER BY i.sort_order, i.id)
  FROM menu_items i WHERE i.menu_id = m.id), '[]')`;

/** Which of a name's menus is meant; without a locale the preferred one, else the lowest code. */
const addressed = `m.name = $1 AND ($2::text IS NULL OR ${sameLocale('m.locale', '$2')})
  ORDER BY (m.locale = coalesce($2, $3)) DESC, m.locale COLLATE "C" LIMIT 1`;

/** Menus with the number of their items, by name, then locale. */
export async function selectMenus(sql: Queryable, locale: string | undefined): Promise<MenuListItem[]> {
  return sql.query<MenuListItem>(
    `SELECT ${columns}, (SELECT count(*) FROM menu_items i WHERE i.menu_id = m.id) AS "itemCount"
     FROM menus m WHERE $1::text IS NULL OR ${sameLocale('m.locale', '$1')} ORDER BY m.name, m.locale COLLATE "C"`,
    [locale ?? null],
  );
}

/** One menu with its items, in one statement: the items are those of one moment. */
export async function selectMenuWithItems(
  sql: Queryable,
  { name, locale, preferred }: { name: string; locale: string | undefined; preferred: string },
): Promise<MenuWithItems | undefined> {
  const [menu] = await sql.query<MenuWithItems>(
    `SELECT ${columns}, ${itemsOfMenu} AS items FROM menus m WHERE ${addressed}`,
    [name, locale ?? null, preferred],
  );
  return menu;
}

/** The translation group of a menu, by the id of a menu or of a group. */
export async function selectTranslationGroup(sql: Queryable, id: string): Promise<string | undefined> {
  const [row] = await sql.query<{ group: string }>(
    `SELECT translation_group AS "group" FROM menus WHERE id = $1 OR translation_group = $1
     ORDER BY (id = $1) DESC LIMIT 1`,
    [id],
  );
  return row?.group;
}

export async function selectTranslations(
  sql: Queryable,
  translationGroup: string,
): Promise<MenuTranslations['translations']> {
  return sql.query(
    `SELECT id, name, label, locale, updated_at AS "updatedAt" FROM menus
     WHERE translation_group = $1 ORDER BY locale COLLATE "C"`,
    [translationGroup],
  );
}

/** Every menu of a name (in one locale, where it is given), held against other writers until the transaction ends. */
export async function lockMenus(
  tx: Transaction,
  name: string,
  locale: string | undefined,
): Promise<MenuResponse[]> {
  return tx.query<MenuResponse>(
    `SELECT ${columns} FROM menus m WHERE m.name = $1 AND ($2::text IS NULL OR ${sameLocale('m.locale', '$2')})
     ORDER BY m.id FOR UPDATE`,
    [name, locale ?? null],
  );
}

/** The menu to translate, by its id or its group's; its items stay as they are until the transaction ends. */
export async function lockSource(tx: Transaction, id: string): Promise<MenuResponse | undefined> {
  const [menu] = await tx.query<MenuResponse>(
    `SELECT ${columns} FROM menus m WHERE m.id = $1 OR m.translation_group = $1
     ORDER BY (m.id = $1) DESC, m.id LIMIT 1 FOR SHARE`,
    [id],
  );
  return menu;
}

export interface NewMenu {
  id: string;
  name: string;
  label: string;
  locale: string;
  translationGroup: string;
}

/** @throws QuireError CONFLICT when the name, or the group, has a menu in this locale. */
export async function insertMenu(tx: Transaction, menu: NewMenu): Promise<MenuResponse> {
  const { id, name, label, locale, translationGroup } = menu;
  try {
    const [made] = await tx.query<MenuResponse>(
      `INSERT INTO menus AS m (id, name, label, locale, translation_group) VALUES ($1, $2, $3, $4, $5)
       RETURNING ${columns}`,
      [id, name, label, locale, translationGroup],
    );
    if (!made) throw new Error('INSERT returned no row');
    return made;
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    const message =
      error.constraint === 'menus_translation_group_locale'
        ? `The menu already has a translation in '${locale}'`
        : `Menu '${name}' already exists in '${locale}'`;
    throw new QuireError('CONFLICT', message, { cause: error });
  }
}

/** Notes a change of a held menu, and writes its label where one is given. */
export async function updateMenuRow(
  tx: Transaction,
  id: string,
  { label }: { label?: string | undefined } = {},
): Promise<MenuResponse> {
  const [menu] = await tx.query<MenuResponse>(
    `UPDATE menus m SET label = coalesce($2, m.label), updated_at = now() WHERE m.id = $1 RETURNING ${columns}`,
    [id, label ?? null],
  );
  if (!menu) throw new Error('Locked menu not found');
  return menu;
}

/** Removes a held menu with its items. */
export async function deleteMenuRow(tx: Transaction, id: string): Promise<void> {
  await tx.query('DELETE FROM menus WHERE id = $1', [id]);
}
