import type { Queryable } from '@quire/database';
import type { Json } from '@quire/login-providers';

/** Maximum number of expired records that one write deletes. */
const pruneBatchSize = 100;

/** The key of a record. */
export type RecordKey = readonly [provider: string, collection: string, key: string];

/** @returns the value of a record; undefined when it is missing or expired. */
export async function selectProviderRecord(sql: Queryable, recordKey: RecordKey): Promise<Json | undefined> {
  const [row] = await sql.query<{ value: Json }>(
    `SELECT value FROM provider_records
     WHERE provider = $1 AND collection = $2 AND key = $3 AND expires_at > now()`,
    [...recordKey],
  );
  return row?.value;
}

/** Inserts or replaces a record, and deletes up to `pruneBatchSize` expired ones. @param json the value as JSON */
export async function upsertProviderRecord(
  sql: Queryable,
  recordKey: RecordKey,
  { json, lifetimeSeconds }: { json: string; lifetimeSeconds: number },
): Promise<void> {
  await sql.query(
    `DELETE FROM provider_records WHERE (provider, collection, key) IN (
       SELECT provider, collection, key FROM provider_records WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [pruneBatchSize],
  );
  await sql.query(
    `INSERT INTO provider_records (provider, collection, key, value, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
     ON CONFLICT (provider, collection, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
    [...recordKey, json, lifetimeSeconds],
  );
}

/** Deletes a record. @returns its value; undefined when it was missing or expired. */
export async function deleteProviderRecord(sql: Queryable, recordKey: RecordKey): Promise<Json | undefined> {
  const [row] = await sql.query<{ value: Json; isLive: boolean }>(
    `DELETE FROM provider_records WHERE provider = $1 AND collection = $2 AND key = $3
     RETURNING value, expires_at > now() AS "isLive"`,
    [...recordKey],
  );
  return row?.isLive ? row.value : undefined;
}
