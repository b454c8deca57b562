import type { Queryable } from '@quire/database';
import { itemColumns, type ItemRow } from '../items/index.js';

/** The ready item of a storage key. */
export async function selectItemByStorageKey(
  sql: Queryable,
  storageKey: string,
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM media_items WHERE storage_key = $1 AND status = 'ready'`,
    values: [storageKey],
  });
  return item;
}
