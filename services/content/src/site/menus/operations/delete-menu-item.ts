import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { Locales } from '../../../locales/index.js';
import { updateMenuItemsLocked, type MenuAddress } from '../change-menu.js';
import { selectMenuItems, updateItemPlacements, deleteMenuItemRow } from '../menu-items.repository.js';
import { placementsWithout } from '../menu-tree.policy.js';

/**
 * Removes an item; its children move up to where it stood (contract 18, decision 34).
 * @throws QuireError NOT_FOUND (menu, item), AMBIGUOUS_LOCALE, VALIDATION_ERROR (locale).
 */
export async function deleteMenuItem(
  ctx: Context,
  locales: Locales,
  { id, ...address }: MenuAddress & { id: string },
): Promise<{ deleted: true }> {
  return updateMenuItemsLocked(ctx, locales, address, async (tx, menu) => {
    const items = await selectMenuItems(tx, menu.id);
    const removed = items.find((item) => item.id === id);
    if (!removed) throw notFound('menu item');
    await updateItemPlacements(tx, menu.id, placementsWithout(items, removed));
    await deleteMenuItemRow(tx, menu.id, id);
    return { deleted: true };
  });
}
