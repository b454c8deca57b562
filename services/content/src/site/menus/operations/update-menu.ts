import type { Context } from '@quire/context';
import type { Locales } from '../../../locales/index.js';
import { updateMenuLocked, type MenuAddress } from '../change-menu.js';
import { updateMenuRow } from '../menus.repository.js';
import type { MenuResponse } from '../menus.schemas.js';

/** Changes a menu's label (contract 18). @throws QuireError NOT_FOUND, AMBIGUOUS_LOCALE, VALIDATION_ERROR (locale). */
export async function updateMenu(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  change: { label?: string | undefined },
): Promise<MenuResponse> {
  return updateMenuLocked(ctx, locales, address, (tx, menu) => updateMenuRow(tx, menu.id, change));
}
