import type { Sql } from '@quire/database';
import { itemColumns, type ItemRow } from '../items/index.js';

/** The ready item of a storage key. */
export async function itemOfKey(sql: Sql, storageKey: string): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>({
    keepsPlan: true,
    text: `SELECT ${itemColumns} FROM media_items WHERE storage_key = $1 AND status = 'ready'`,
    values: [storageKey],
  });
  return item;
}
