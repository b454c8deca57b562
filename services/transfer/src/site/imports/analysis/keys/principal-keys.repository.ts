import type { Queryable } from '@quire/database';
import type { RecordKind } from '@quire/site-package';

/** Records of a kind that name a user. */
export interface PrincipalUse {
  id: string;
  kind: RecordKind;
  count: number;
}

/** Users whom records name, with the records by kind: those of the package that most records name. */
export function selectPrincipalUses(
  sql: Queryable,
  operationId: string,
  limit: number,
): Promise<PrincipalUse[]> {
  return sql.query<PrincipalUse>(
    `WITH uses AS (
       SELECT value, kind, sum(count)::float8 AS count FROM transfer_import_keys
       WHERE operation_id = $1 AND role = 'reference' AND scope = 'principals.id' GROUP BY value, kind),
     named AS (
       SELECT v.value, coalesce(sum(u.count), 0) AS total FROM transfer_import_keys v LEFT JOIN uses u USING (value)
       WHERE v.operation_id = $1 AND v.kind = 'principals' AND v.role = 'value' AND v.scope = 'principals.id'
       GROUP BY v.value ORDER BY total DESC, v.value COLLATE "C" LIMIT $2)
     SELECT n.value AS id, coalesce(u.kind, 'principals') AS kind, coalesce(u.count, 0) AS count
     FROM named n LEFT JOIN uses u USING (value) ORDER BY n.value COLLATE "C", u.kind`,
    [operationId, limit],
  );
}

/** Records by kind that name any user. */
export function selectUsesByKind(
  sql: Queryable,
  operationId: string,
): Promise<{ kind: RecordKind; count: number }[]> {
  return sql.query(
    `SELECT kind, sum(count)::float8 AS count FROM transfer_import_keys
     WHERE operation_id = $1 AND role = 'reference' AND scope = 'principals.id' GROUP BY kind`,
    [operationId],
  );
}
