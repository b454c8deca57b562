import { columnsOf, type Queryable } from '@quire/database';
import { SiteKey } from './site-key.entity.js';

const columns = columnsOf(SiteKey, { only: ['key'] });

/** @returns the site's key. @throws Error when the table is empty: the migration inserts the key. */
export async function selectSiteKey(sql: Queryable): Promise<Buffer> {
  const [row] = await sql.query<Pick<SiteKey, 'key'>>(`SELECT ${columns} FROM site_key`);
  if (!row) throw new Error('site_key has no row');
  return row.key;
}
