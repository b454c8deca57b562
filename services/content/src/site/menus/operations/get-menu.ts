import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { Locales } from '../../../locales/index.js';
import { localeOf, type MenuAddress } from '../change-menu.js';
import { selectMenuWithItems } from '../menus.repository.js';
import type { MenuWithItems } from '../menus.schemas.js';

/**
 * One menu with its items in order; without a locale that of the default locale, else of the lowest code (contract 18).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (locale).
 */
export async function getMenu(ctx: Context, locales: Locales, address: MenuAddress): Promise<MenuWithItems> {
  const menu = await selectMenuWithItems(ctx.db, {
    name: address.name,
    locale: localeOf(locales, address),
    preferred: locales.default,
  });
  if (!menu) throw notFound('menu');
  return menu;
}
