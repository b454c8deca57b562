import type { contentImportApi } from '@quire/internal-api';

/**
 * @param id of an item at the source; null when the item has none
 * @param position its place in the file
 * @returns what identifies an item in every import of its site
 */
export function sourceKeyOf(
  type: string,
  id: string | number | null,
  position: number,
): contentImportApi.SourceKey {
  return { type, id: id === null ? `position-${position}` : String(id) };
}
