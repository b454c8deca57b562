import type { Queryable, Row } from '@quire/database';
import type { MediaAddress } from './media-address.entity.js';

export type AddressRow = Row<MediaAddress>;

/**
 * Stores addresses with one statement. One that is known stays, unless it was an alias and is the address of a file
 * now: no alias takes another file's address. The rows are locked in the order of their keys.
 */
export async function insertAddresses(sql: Queryable, rows: readonly AddressRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query({
    prepared: true,
    text: `INSERT INTO media_addresses (address_key, address, url_hash, file_key, is_alias)
      SELECT DISTINCT ON (a."addressKey") a."addressKey", a.address, a."urlHash", a."fileKey", a."isAlias"
      FROM json_to_recordset($1) AS a ("addressKey" text, address text, "urlHash" text, "fileKey" text, "isAlias" boolean)
      ORDER BY a."addressKey", a."isAlias"
      ON CONFLICT (address_key) DO UPDATE
      SET address = excluded.address, url_hash = excluded.url_hash, is_alias = false
      WHERE media_addresses.is_alias AND NOT excluded.is_alias`,
    values: [JSON.stringify(rows)],
  });
}

/** @returns the aliases of files, with the key of the address that each file is downloaded from. */
export function selectAliases(
  sql: Queryable,
  addressKeys: readonly string[],
): Promise<{ ownKey: string; address: string }[]> {
  return sql.query(
    `SELECT own.address_key AS "ownKey", alias.address
     FROM media_addresses own JOIN media_addresses alias ON alias.url_hash = own.url_hash AND alias.is_alias
     WHERE own.address_key = ANY($1) AND NOT own.is_alias ORDER BY alias.address_key`,
    [addressKeys],
  );
}

/** @returns the addresses with these keys whose files were downloaded, with the ids of their media items. */
export function selectDownloaded(
  sql: Queryable,
  fileKeys: readonly string[],
): Promise<{ address: string; mediaId: string }[]> {
  return sql.query({
    prepared: true,
    text: `SELECT a.address, s.media_id AS "mediaId" FROM media_addresses a JOIN media_sources s USING (url_hash)
      WHERE a.file_key = ANY($1)`,
    values: [fileKeys],
  });
}

/** Whether any file was downloaded. */
export async function hasDownloaded(sql: Queryable): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM media_sources LIMIT 1');
  return rows.length > 0;
}
