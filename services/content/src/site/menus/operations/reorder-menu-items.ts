import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { Locales } from '../../../locales/index.js';
import { updateMenuItemsLocked, type MenuAddress } from '../change-menu.js';
import { selectMenuItems, updateItemPlacements } from '../menu-items.repository.js';
import { placementIssues, type Placement } from '../menu-tree.policy.js';
import type { MenuItemResponse } from '../menus.schemas.js';

/**
 * Moves the listed items to new parents and places, all or none (contract 18).
 * @returns every item of the menu, in order.
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for strangers, items named twice, parents
 *   that are not of this menu, and circles.
 */
export async function reorderMenuItems(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  placements: readonly Placement[],
): Promise<MenuItemResponse[]> {
  return updateMenuItemsLocked(ctx, locales, address, async (tx, menu) => {
    const issues = placementIssues(await selectMenuItems(tx, menu.id), placements);
    if (issues.length > 0) throw invalidInput(issues);
    await updateItemPlacements(tx, menu.id, placements);
    return selectMenuItems(tx, menu.id);
  });
}
