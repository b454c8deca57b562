import type { Context } from '@quire/context';
import { invalidInput, notFound } from '@quire/errors';
import type { Locales } from '../../../locales/index.js';
import { updateMenuItemsLocked, type MenuAddress } from '../change-menu.js';
import { selectMenuItems, updateMenuItemRow } from '../menu-items.repository.js';
import { isOwnDescendant } from '../menu-tree.policy.js';
import type { MenuItemResponse, MenuItemUpdate } from '../menus.schemas.js';

/**
 * Changes what is sent of an item; what it points at never changes (contract 18).
 * @throws QuireError NOT_FOUND (menu, item), AMBIGUOUS_LOCALE, VALIDATION_ERROR for a parent that is not of this menu
 *   or stands below the item.
 */
export async function updateMenuItem(
  ctx: Context,
  locales: Locales,
  { id, ...address }: MenuAddress & { id: string },
  change: MenuItemUpdate,
): Promise<MenuItemResponse> {
  return updateMenuItemsLocked(ctx, locales, address, async (tx, menu) => {
    if (change.parentId) assertValidParent(await selectMenuItems(tx, menu.id), id, change.parentId);
    const item = await updateMenuItemRow(tx, menu.id, id, change);
    if (!item) throw notFound('menu item');
    return item;
  });
}

function assertValidParent(items: readonly MenuItemResponse[], id: string, parentId: string): void {
  const parents = new Map(items.map((item) => [item.id, item.parentId]));
  if (!parents.has(id)) throw notFound('menu item');
  if (!parents.has(parentId)) {
    throw invalidInput([{ path: 'parentId', message: 'is not an item of this menu' }]);
  }
  if (isOwnDescendant(parents.set(id, parentId), id)) {
    throw invalidInput([{ path: 'parentId', message: 'would make the item its own descendant' }]);
  }
}
