import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { ulid } from 'ulid';
import type { Locales } from '../../../locales/index.js';
import { insertMenuItems, selectMenuItems, type NewMenuItem } from '../menu-items.repository.js';
import { lockSource, insertMenu } from '../menus.repository.js';
import type { MenuItemResponse, MenuResponse, MenuInput } from '../menus.schemas.js';

/**
 * Makes a menu; as a translation it joins the other's group and takes a copy of its items (contract 18).
 * @throws QuireError CONFLICT when the name or the group has a menu in this locale, NOT_FOUND (translationOf),
 *   VALIDATION_ERROR (locale).
 */
export async function createMenu(
  ctx: Context,
  locales: Locales,
  { name, label, locale, translationOf }: MenuInput,
): Promise<MenuResponse> {
  const stored = locale === undefined ? locales.default : locales.stored(locale);
  const id = ulid();
  return ctx.db.transaction(async (tx) => {
    if (translationOf === undefined) {
      return insertMenu(tx, { id, name, label, locale: stored, translationGroup: id });
    }
    const source = await lockSource(tx, translationOf);
    if (!source) throw notFound('menu to translate');
    const { translationGroup } = source;
    const menu = await insertMenu(tx, { id, name, label, locale: stored, translationGroup });
    await insertMenuItems(tx, id, copied(await selectMenuItems(tx, source.id)));
    return menu;
  });
}

/** The same items under new ids; the translation group says that they are the same. */
function copied(items: readonly MenuItemResponse[]): NewMenuItem[] {
  const newIds = new Map(items.map(({ id }) => [id, ulid()]));
  const newId = (id: string): string => {
    const made = newIds.get(id);
    if (made === undefined) throw new Error(`The parent ${id} is not an item of the same menu`);
    return made;
  };
  return items.map(({ menuId: _menuId, createdAt: _createdAt, locale: _locale, ...item }) => ({
    ...item,
    id: newId(item.id),
    parentId: item.parentId === null ? null : newId(item.parentId),
  }));
}
