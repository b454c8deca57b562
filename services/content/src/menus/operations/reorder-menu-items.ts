import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { Locales } from '../../locales/index.js';
import { changeItems, type MenuAddress } from '../change-menu.js';
import { itemsOf, placeItems } from '../menu-items.repository.js';
import { placementIssues, type Placement } from '../menu-tree.policy.js';
import type { ItemAnswer } from '../menus.schemas.js';

/**
 * Moves the listed items to new parents and places, all or none (contract 18).
 * @returns every item of the menu, in order.
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for strangers, items named twice, parents that
 *   are not of this menu, and circles.
 */
export async function reorderMenuItems(
  ctx: Context,
  locales: Locales,
  address: MenuAddress,
  placements: readonly Placement[],
): Promise<ItemAnswer[]> {
  return changeItems(ctx, locales, address, async (tx, menu) => {
    const issues = placementIssues(await itemsOf(tx, menu.id), placements);
    if (issues.length > 0) throw invalidInput(issues);
    await placeItems(tx, menu.id, placements);
    return itemsOf(tx, menu.id);
  });
}
