import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import type { EntryServices } from '../../entries/index.js';
import { changeItems, type MenuAddress } from '../change-menu.js';
import { insertItems, itemsOf } from '../menu-items.repository.js';
import { maximumItems, type ItemAnswer, type ItemInput } from '../menus.schemas.js';
import { storedReferences } from '../reference-groups.js';

/**
 * Adds an item, behind its siblings unless a place is sent (contract 18).
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for a parent that is not of this menu, or a
 *   menu that is full.
 */
export async function createMenuItem(
  ctx: Context,
  services: EntryServices,
  address: MenuAddress,
  input: ItemInput,
): Promise<ItemAnswer> {
  const [referenceId = null] = await storedReferences(ctx, services, [input]);
  return changeItems(ctx, services.locales, address, async (tx, menu) => {
    const items = await itemsOf(tx, menu.id);
    if (items.length >= maximumItems) {
      throw new QuireError('VALIDATION_ERROR', `A menu holds at most ${maximumItems} items`);
    }
    const parentId = input.parentId ?? null;
    if (parentId !== null && !items.some(({ id }) => id === parentId)) {
      throw invalidInput([{ path: 'parentId', message: 'is no item of this menu' }]);
    }
    const last = items.filter((item) => item.parentId === parentId).at(-1);
    const id = ulid();
    const [item] = await insertItems(tx, menu.id, [
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
    if (!item) throw new Error('An insert returned nothing');
    return item;
  });
}
