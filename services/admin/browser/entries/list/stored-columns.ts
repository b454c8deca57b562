const keyOf = (userId: string) => `quire-panel-columns:${userId}`;

function readAll(userId: string): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The columns that a user has selected for a collection in this browser. */
export function readColumns(userId: string, collection: string): string[] | undefined {
  const columns = readAll(userId)[collection];
  return Array.isArray(columns) ? columns.filter((id): id is string => typeof id === 'string') : undefined;
}

/** Remembers the columns of a collection. @param columns undefined for the default ones */
export function storeColumns(userId: string, collection: string, columns: string[] | undefined): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify({ ...readAll(userId), [collection]: columns }));
  } catch {
    // Without storage the columns are in the address only.
  }
}
