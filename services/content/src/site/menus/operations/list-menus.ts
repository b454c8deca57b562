import type { Context } from '@quire/context';
import type { Locales } from '../../../locales/index.js';
import { selectMenus } from '../menus.repository.js';
import type { MenuListItem } from '../menus.schemas.js';

/**
 * Every menu, or those of one locale, by name with the number of items.
 * @throws QuireError VALIDATION_ERROR (locale).
 */
export async function listMenus(
  ctx: Context,
  locales: Locales,
  locale: string | undefined,
): Promise<MenuListItem[]> {
  return selectMenus(ctx.db, locale === undefined ? undefined : locales.requested(locale));
}
