import type { Context } from '@quire/context';
import type { Locales } from '../../locales/index.js';
import { changeMenu, type MenuAddress } from '../change-menu.js';
import { writeMenu } from '../menus.repository.js';
import type { MenuAnswer } from '../menus.schemas.js';

/** Changes a menu's label (contract 18). @throws QuireError NOT_FOUND, AMBIGUOUS_LOCALE, VALIDATION_ERROR (locale). */
export async function updateMenu(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  change: { label?: string | undefined },
): Promise<MenuAnswer> {
  return changeMenu(ctx, locales, address, (tx, menu) => writeMenu(tx, menu.id, change));
}
