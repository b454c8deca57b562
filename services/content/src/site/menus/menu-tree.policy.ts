import type { Issue } from '@quire/errors';

/** The place of an item in its menu. */
export interface Placement {
  id: string;
  parentId: string | null;
  sortOrder: number;
}

/**
 * @returns the issues of moving items of a menu to new places: items of other menus, items listed twice, parents
 *   outside the menu, items below themselves. Paths refer to a list `items`.
 */
export function placementIssues(current: readonly Placement[], placements: readonly Placement[]): Issue[] {
  const parents = new Map(current.map(({ id, parentId }) => [id, parentId]));
  const seen = new Set<string>();
  const issues: Issue[] = [];
  placements.forEach(({ id, parentId }, index) => {
    if (!parents.has(id)) issues.push({ path: `items.${index}.id`, message: 'is not an item of this menu' });
    if (seen.has(id)) issues.push({ path: `items.${index}.id`, message: 'is listed twice' });
    if (parentId !== null && !parents.has(parentId)) {
      issues.push({ path: `items.${index}.parentId`, message: 'is not an item of this menu' });
    }
    seen.add(id);
  });
  if (issues.length > 0) return issues;
  for (const { id, parentId } of placements) parents.set(id, parentId);
  return placements.flatMap(({ id }, index) =>
    isOwnDescendant(parents, id)
      ? [{ path: `items.${index}.parentId`, message: 'would make the item its own descendant' }]
      : [],
  );
}

/** Whether an item is its own ancestor. @param parents the parent of every item of the menu. */
export function isOwnDescendant(parents: ReadonlyMap<string, string | null>, id: string): boolean {
  let above = parents.get(id) ?? null;
  // A longer path ends in a cycle above this item, which the cycle's own members report.
  for (let steps = 0; above !== null && steps < parents.size; steps += 1) {
    if (above === id) return true;
    above = parents.get(above) ?? null;
  }
  return false;
}

/**
 * @returns the new places of a deleted item's children and siblings: the children take its place below its parent
 *   (decision 34). Nothing moves when it has no children.
 */
export function placementsWithout(current: readonly Placement[], deleted: Placement): Placement[] {
  const childrenOf = (parentId: string | null) => current.filter((item) => item.parentId === parentId);
  const children = childrenOf(deleted.id);
  if (children.length === 0) return [];
  return childrenOf(deleted.parentId)
    .flatMap((sibling) => (sibling.id === deleted.id ? children : [sibling]))
    .map(({ id }, index) => ({ id, parentId: deleted.parentId, sortOrder: index }));
}
