import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { ulid } from '@quire/values';
import type { Locales } from '../../locales/index.js';
import { localeOf, withLockedMenu, type MenuAddress } from './locked-menu.js';
import {
  insertMenuItems,
  selectMenuItems,
  type MenuItemResponse,
  type NewMenuItem,
} from './menu-items.repository.js';
import {
  deleteMenuRow,
  insertMenu,
  lockSourceMenu,
  selectMenus,
  selectMenuWithItems,
  selectTranslationGroup,
  selectTranslations,
  updateMenuRow,
  type StoredMenu,
} from './menus.repository.js';
import type {
  MenuInput,
  MenuListItem,
  MenuTranslation,
  MenuTranslations,
  MenuUpdate,
} from './menus.schemas.js';

/**
 * @returns every menu, or those of one locale, by name, with the number of items.
 * @throws QuireError VALIDATION_ERROR (locale).
 */
export async function listMenus(
  ctx: Context,
  locales: Locales,
  locale: string | undefined,
): Promise<MenuListItem[]> {
  return selectMenus(ctx.db, locale === undefined ? undefined : locales.requested(locale));
}

/**
 * Creates a menu. A translation joins the group of the other menu and gets a copy of its items (contract 18).
 * @throws QuireError CONFLICT when the name or the group has a menu in this locale, NOT_FOUND (translationOf),
 *   VALIDATION_ERROR (locale).
 */
export async function createMenu(
  ctx: Context,
  locales: Locales,
  { name, label, locale, translationOf }: MenuInput,
): Promise<StoredMenu> {
  const stored = locale === undefined ? locales.default : locales.stored(locale);
  const id = ulid();
  return ctx.db.transaction(async (tx) => {
    if (translationOf === undefined) {
      return insertMenu(tx, { id, name, label, locale: stored, translationGroup: id });
    }
    const source = await lockSourceMenu(tx, translationOf);
    if (!source) throw notFound('menu to translate');
    const { translationGroup } = source;
    const menu = await insertMenu(tx, { id, name, label, locale: stored, translationGroup });
    await insertMenuItems(tx, menu, copiesOf(await selectMenuItems(tx, source)));
    return menu;
  });
}

/** The same items under new ids; they keep their translation groups. */
function copiesOf(items: readonly MenuItemResponse[]): NewMenuItem[] {
  const newIds = new Map(items.map(({ id }) => [id, ulid()]));
  const newId = (id: string): string => {
    const copy = newIds.get(id);
    if (copy === undefined) throw new Error(`The parent ${id} is not an item of the same menu`);
    return copy;
  };
  return items.map(({ menuId: _menuId, createdAt: _createdAt, locale: _locale, ...item }) => ({
    ...item,
    id: newId(item.id),
    parentId: item.parentId === null ? null : newId(item.parentId),
  }));
}

/**
 * @returns one menu with its items in order; without a locale that of the default locale, else of the lowest code
 *   (contract 18). `prefersDefault: false` returns the lowest code at once, as the MCP tools do.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (locale).
 */
export async function getMenu(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  { prefersDefault = true } = {},
): Promise<StoredMenu & { items: MenuItemResponse[] }> {
  const menu = await selectMenuWithItems(ctx.db, {
    name: address.name,
    locale: localeOf(locales, address),
    preferred: prefersDefault ? locales.default : null,
  });
  if (!menu) throw notFound('menu');
  return menu;
}

/** Changes a menu's label (contract 18). @throws QuireError NOT_FOUND, AMBIGUOUS_LOCALE, VALIDATION_ERROR (locale). */
export async function updateMenu(
  ctx: Context,
  locales: Locales,
  { update, ...address }: MenuAddress & { update: MenuUpdate },
): Promise<StoredMenu> {
  return withLockedMenu(ctx, locales, address, (tx, menu) => updateMenuRow(tx, menu.id, update));
}

/**
 * Deletes the menu of one locale with its items (contract 18).
 * @throws QuireError NOT_FOUND, AMBIGUOUS_LOCALE, VALIDATION_ERROR (locale).
 */
export async function deleteMenu(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
): Promise<{ deleted: true }> {
  return withLockedMenu(ctx, locales, address, async (tx, menu) => {
    await deleteMenuRow(tx, menu.id);
    return { deleted: true };
  });
}

/** @returns the menu in each of its locales. @throws QuireError NOT_FOUND, VALIDATION_ERROR (locale). */
export async function listMenuTranslations(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
): Promise<MenuTranslations> {
  const { translationGroup } = await getMenu(ctx, locales, address);
  return { translationGroup, translations: await selectTranslations(ctx.db, translationGroup) };
}

/**
 * @param id of a menu, or of a translation group
 * @returns the menu in each of its locales (spec document 2, rule 5).
 * @throws QuireError NOT_FOUND
 */
export async function listMenuTranslationsById(ctx: Context, id: string): Promise<MenuTranslations> {
  const translationGroup = await selectTranslationGroup(ctx.db, id);
  if (translationGroup === undefined) throw notFound('menu');
  return { translationGroup, translations: await selectTranslations(ctx.db, translationGroup) };
}

/**
 * Creates a menu of the same name in another locale, with a copy of the items.
 * @throws QuireError NOT_FOUND, CONFLICT when it exists already, VALIDATION_ERROR (locale).
 */
export async function translateMenu(
  ctx: Context,
  locales: Locales,
  { translation, ...address }: MenuAddress & { translation: MenuTranslation },
): Promise<StoredMenu> {
  const { id, name, label } = await getMenu(ctx, locales, address);
  return createMenu(ctx, locales, {
    ...translation,
    name,
    label: translation.label ?? label,
    translationOf: id,
  });
}
