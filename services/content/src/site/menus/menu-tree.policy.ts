import type { Issue } from '@quire/errors';

/** Where an item stands in its menu. */
export interface Placement {
  id: string;
  parentId: string | null;
  sortOrder: number;
}

/**
 * What forbids moving items of a menu to new places: strangers, items named twice, parents outside of the menu, items
 * below themselves. Paths are those of a list `items`.
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

/** Whether going up from an item comes back to it. @param parents the parent of every item of the menu. */
export function isOwnDescendant(parents: ReadonlyMap<string, string | null>, id: string): boolean {
  let above = parents.get(id) ?? null;
  // A way up that is longer than the menu has items is caught in a circle further up, which its own members report.
  for (let steps = 0; above !== null && steps < parents.size; steps += 1) {
    if (above === id) return true;
    above = parents.get(above) ?? null;
  }
  return false;
}

/**
 * The new places of a deleted item's children and siblings: the children move up to its parent, to where it stood
 * (decision 34). Nothing moves when it has none.
 */
export function placementsWithout(current: readonly Placement[], removed: Placement): Placement[] {
  const childrenOf = (parentId: string | null) => current.filter((item) => item.parentId === parentId);
  const children = childrenOf(removed.id);
  if (children.length === 0) return [];
  return childrenOf(removed.parentId)
    .flatMap((sibling) => (sibling.id === removed.id ? children : [sibling]))
    .map(({ id }, index) => ({ id, parentId: removed.parentId, sortOrder: index }));
}
