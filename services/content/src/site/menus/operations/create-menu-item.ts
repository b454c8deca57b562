import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import type { EntryDeps } from '../../../entries/index.js';
import { updateMenuItemsLocked, type MenuAddress } from '../change-menu.js';
import { insertMenuItems, selectMenuItems } from '../menu-items.repository.js';
import { maxItems, type MenuItemResponse, type MenuItemInput } from '../menus.schemas.js';
import { resolveReferenceGroups } from '../reference-groups.js';

/**
 * Adds an item, behind its siblings unless a place is sent (contract 18).
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for a parent that is not of this menu, or a
 *   menu that is full.
 */
export async function createMenuItem(
  ctx: Context,
  deps: EntryDeps,
  address: MenuAddress,
  input: MenuItemInput,
): Promise<MenuItemResponse> {
  const [referenceId = null] = await resolveReferenceGroups(ctx, deps, [input]);
  return updateMenuItemsLocked(ctx, deps.locales, address, async (tx, menu) => {
    const items = await selectMenuItems(tx, menu.id);
    if (items.length >= maxItems) {
      throw new QuireError('VALIDATION_ERROR', `A menu holds at most ${maxItems} items`);
    }
    const parentId = input.parentId ?? null;
    if (parentId !== null && !items.some(({ id }) => id === parentId)) {
      throw invalidInput([{ path: 'parentId', message: 'is not an item of this menu' }]);
    }
    const last = items.filter((item) => item.parentId === parentId).at(-1);
    const id = ulid();
    const [item] = await insertMenuItems(tx, menu.id, [
      {
        id,
        parentId,
        sortOrder: input.sortOrder ?? (last ? last.sortOrder + 1 : 0),
        type: input.type,
        referenceCollection: input.referenceCollection ?? null,
        referenceId,
        customUrl: input.customUrl ?? null,
        label: input.label,
        titleAttr: input.titleAttr ?? null,
        target: input.target ?? null,
        cssClasses: input.cssClasses ?? null,
        translationGroup: id,
      },
    ]);
    if (!item) throw new Error('INSERT returned no row');
    return item;
  });
}
