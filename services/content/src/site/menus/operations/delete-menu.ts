import type { Context } from '@quire/context';
import type { Locales } from '../../../locales/index.js';
import { updateMenuLocked, type MenuAddress } from '../change-menu.js';
import { deleteMenuRow } from '../menus.repository.js';

/**
 * Removes a menu of one locale with its items (contract 18).
 * @throws QuireError NOT_FOUND, AMBIGUOUS_LOCALE, VALIDATION_ERROR (locale).
 */
export async function deleteMenu(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
): Promise<{ deleted: true }> {
  return updateMenuLocked(ctx, locales, address, async (tx, menu) => {
    await deleteMenuRow(tx, menu.id);
    return { deleted: true };
  });
}
