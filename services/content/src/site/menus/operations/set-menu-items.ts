import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { ulid } from 'ulid';
import type { EntryDeps } from '../../../entries/index.js';
import { updateMenuItemsLocked, type MenuAddress } from '../change-menu.js';
import { deleteMenuItems, insertMenuItems, type NewMenuItem } from '../menu-items.repository.js';
import type { MenuItemsInput } from '../menus.schemas.js';
import { resolveReferenceGroups } from '../reference-groups.js';

/**
 * Replaces all items of a menu at once; their order in the list is the menu's, and `parentIndex` names an earlier one
 * (spec document 2, rule 10).
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for a parent that does not stand before its
 *   item; the old items stay then.
 */
export async function setMenuItems(
  ctx: Context,
  deps: EntryDeps,
  address: MenuAddress,
  items: MenuItemsInput,
): Promise<{ name: string; itemCount: number }> {
  const issues = items.flatMap(({ parentIndex }, index) =>
    parentIndex === undefined || parentIndex < index
      ? []
      : [{ path: `items.${index}.parentIndex`, message: 'must name an earlier item' }],
  );
  if (issues.length > 0) throw invalidInput(issues);
  const rows = newItems(items, await resolveReferenceGroups(ctx, deps, items));
  return updateMenuItemsLocked(ctx, deps.locales, address, async (tx, menu) => {
    await deleteMenuItems(tx, menu.id);
    await insertMenuItems(tx, menu.id, rows);
    return { name: menu.name, itemCount: rows.length };
  });
}

function newItems(items: MenuItemsInput, references: readonly (string | null)[]): NewMenuItem[] {
  const ids = items.map(() => ulid());
  return items.map((item, index) => {
    const id = ids[index] ?? ulid();
    return {
      id,
      parentId: item.parentIndex === undefined ? null : (ids[item.parentIndex] ?? null),
      sortOrder: index,
      type: item.type,
      referenceCollection: item.referenceCollection ?? null,
      referenceId: references[index] ?? null,
      customUrl: item.customUrl ?? null,
      label: item.label,
      titleAttr: item.titleAttr ?? null,
      target: item.target ?? null,
      cssClasses: item.cssClasses ?? null,
      translationGroup: id,
    };
  });
}
