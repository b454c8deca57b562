/**
 * @param parents the parent of each group, null or absent for none
 * @returns a group and all above it, from below; it ends where a circle of parents begins again.
 */
export function pathToRoot(group: string, parents: ReadonlyMap<string, string | null>): string[] {
  const path = new Set<string>();
  for (let next: string | null = group; next !== null && !path.has(next); next = parents.get(next) ?? null)
    path.add(next);
  return [...path];
}
