import type { Context } from '@quire/context';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import type { EntryDeps } from '../../entries/index.js';
import type { Locales } from '../../locales/index.js';
import { withLockedMenuItems, type MenuAddress } from './locked-menu.js';
import {
  deleteMenuItemRow,
  deleteMenuItems,
  insertMenuItems,
  selectMenuItems,
  updateItemPlacements,
  updateMenuItemRow,
  type MenuItemResponse,
  type NewMenuItem,
} from './menu-items.repository.js';
import { isOwnDescendant, placementIssues, placementsWithout, type Placement } from './menu-tree.policy.js';
import { maxItems, type MenuItemInput, type MenuItemsInput, type MenuItemUpdate } from './menus.schemas.js';
import { resolveReferenceGroups } from './reference-groups.js';

type ItemAddress = MenuAddress & { id: string };

/**
 * Adds an item, after its siblings unless a place is given (contract 18).
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for a parent that is not of this menu, or a
 *   menu that is full.
 */
export async function createMenuItem(
  ctx: Context,
  deps: EntryDeps,
  { item: input, ...address }: MenuAddress & { item: MenuItemInput },
): Promise<MenuItemResponse> {
  const [referenceId = null] = await resolveReferenceGroups(ctx, deps, [input]);
  return withLockedMenuItems(ctx, deps.locales.of(ctx), address, async (tx, menu) => {
    const items = await selectMenuItems(tx, menu);
    if (items.length >= maxItems) {
      throw new QuireError('VALIDATION_ERROR', `A menu holds at most ${maxItems} items`);
    }
    const parentId = input.parentId ?? null;
    if (parentId !== null && !items.some(({ id }) => id === parentId)) {
      throw invalidInput([{ path: 'parentId', message: 'is not an item of this menu' }]);
    }
    const last = items.filter((item) => item.parentId === parentId).at(-1);
    const sortOrder = input.sortOrder ?? (last ? last.sortOrder + 1 : 0);
    const [item] = await insertMenuItems(tx, menu, [{ ...newItem(input), parentId, sortOrder, referenceId }]);
    if (!item) throw new Error('INSERT returned no row');
    return item;
  });
}

/**
 * Updates the given properties of an item; its reference never changes (contract 18).
 * @throws QuireError NOT_FOUND (menu, item), AMBIGUOUS_LOCALE, VALIDATION_ERROR for a parent that is not of this menu
 *   or is below the item.
 */
export async function updateMenuItem(
  ctx: Context,
  locales: Locales,
  { id, update, ...address }: ItemAddress & { update: MenuItemUpdate },
): Promise<MenuItemResponse> {
  return withLockedMenuItems(ctx, locales, address, async (tx, menu) => {
    if (update.parentId) assertValidParent(await selectMenuItems(tx, menu), id, update.parentId);
    const item = await updateMenuItemRow(tx, menu, { id, update });
    if (!item) throw notFound('menu item');
    return item;
  });
}

/**
 * Deletes an item; its children move up to its place (contract 18, decision 34).
 * @throws QuireError NOT_FOUND (menu, item), AMBIGUOUS_LOCALE, VALIDATION_ERROR (locale).
 */
export async function deleteMenuItem(
  ctx: Context,
  locales: Locales,
  { id, ...address }: ItemAddress,
): Promise<{ deleted: true }> {
  return withLockedMenuItems(ctx, locales, address, async (tx, menu) => {
    const items = await selectMenuItems(tx, menu);
    const deleted = items.find((item) => item.id === id);
    if (!deleted) throw notFound('menu item');
    await updateItemPlacements(tx, menu.id, placementsWithout(items, deleted));
    await deleteMenuItemRow(tx, menu.id, id);
    return { deleted: true };
  });
}

/**
 * Moves the listed items to new parents and places, all or none (contract 18).
 * @returns every item of the menu, in order.
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for items of other menus, items listed twice,
 *   parents that are not of this menu, and cycles.
 */
export async function reorderMenuItems(
  ctx: Context,
  locales: Locales,
  { placements, ...address }: MenuAddress & { placements: readonly Placement[] },
): Promise<MenuItemResponse[]> {
  return withLockedMenuItems(ctx, locales, address, async (tx, menu) => {
    const issues = placementIssues(await selectMenuItems(tx, menu), placements);
    if (issues.length > 0) throw invalidInput(issues);
    await updateItemPlacements(tx, menu.id, placements);
    return selectMenuItems(tx, menu);
  });
}

/**
 * Replaces all items of a menu at once. The list sets their order; `parentIndex` names an earlier item (spec document
 * 2, rule 10).
 * @throws QuireError NOT_FOUND (menu), AMBIGUOUS_LOCALE, VALIDATION_ERROR for a parent that is not before its item;
 *   the old items stay then.
 */
export async function setMenuItems(
  ctx: Context,
  deps: EntryDeps,
  { items, ...address }: MenuAddress & { items: MenuItemsInput },
): Promise<{ name: string; itemCount: number }> {
  const issues = items.flatMap(({ parentIndex }, index) =>
    parentIndex === undefined || parentIndex < index
      ? []
      : [{ path: `items.${index}.parentIndex`, message: 'must name an earlier item' }],
  );
  if (issues.length > 0) throw invalidInput(issues);
  const rows = newItems(items, await resolveReferenceGroups(ctx, deps, items));
  return withLockedMenuItems(ctx, deps.locales.of(ctx), address, async (tx, menu) => {
    await deleteMenuItems(tx, menu.id);
    await insertMenuItems(tx, menu, rows);
    return { name: menu.name, itemCount: rows.length };
  });
}

function newItems(items: MenuItemsInput, references: readonly (string | null)[]): NewMenuItem[] {
  const rows: NewMenuItem[] = [];
  for (const [sortOrder, { parentIndex, ...item }] of items.entries()) {
    const parentId = parentIndex === undefined ? null : (rows[parentIndex]?.id ?? null);
    rows.push({ ...newItem(item), parentId, sortOrder, referenceId: references[sortOrder] ?? null });
  }
  return rows;
}

/** An item under a new id, which is also its translation group. */
function newItem(input: MenuItemInput): Omit<NewMenuItem, 'parentId' | 'sortOrder' | 'referenceId'> {
  const id = ulid();
  return {
    id,
    translationGroup: id,
    type: input.type,
    referenceCollection: input.referenceCollection ?? null,
    customUrl: input.customUrl ?? null,
    label: input.label,
    titleAttr: input.titleAttr ?? null,
    target: input.target ?? null,
    cssClasses: input.cssClasses ?? null,
  };
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
