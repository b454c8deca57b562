import type { Queryable } from '@quire/database';
import type { listSiteMediaObjects, ResponseOf } from '@quire/internal-api';

type ItemObject = ResponseOf<typeof listSiteMediaObjects>['items'][number];

/** A page of the objects of ready items, by id of the items. Items with the same bytes have an object each. */
export function selectItemObjects(
  sql: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<ItemObject[]> {
  return sql.query<ItemObject>(
    `SELECT id, sha256, object_key AS "objectKey", size::float8 AS bytes FROM media_items
     WHERE id > $1 AND status = 'ready' AND sha256 IS NOT NULL AND object_key IS NOT NULL ORDER BY id LIMIT $2`,
    [after, limit],
  );
}
