import { columnsOf, type Queryable, type Row } from '@quire/database';
import { ulid } from '@quire/values';
import type { AuthorizationRequest } from './authorization-request.entity.js';
import { ImportConnection } from './import-connection.entity.js';

const requestLifetimeSeconds = 600;
/** Maximum number of expired requests that one insert deletes. */
const pruneBatchSize = 100;

export type ConnectionRow = Row<ImportConnection>;

const connectionColumns = columnsOf(ImportConnection);

/** Stores a request for 10 minutes, and deletes up to `pruneBatchSize` expired ones. */
export async function insertAuthorizationRequest(
  sql: Queryable,
  request: Omit<AuthorizationRequest, 'expiresAt'>,
): Promise<void> {
  await sql.query(
    `DELETE FROM import_authorization_requests WHERE state_hash IN (
       SELECT state_hash FROM import_authorization_requests WHERE expires_at < now()
       LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [pruneBatchSize],
  );
  const { stateHash, userId, siteUrl, redirectUri, codeVerifier } = request;
  await sql.query(
    `INSERT INTO import_authorization_requests
       (state_hash, user_id, site_url, redirect_uri, code_verifier, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')`,
    [stateHash, userId, siteUrl, redirectUri, codeVerifier, requestLifetimeSeconds],
  );
}

/**
 * Consumes a request: deletes it, so that its `state` is valid once.
 * @returns undefined when it is unknown, used or expired, or of another user
 */
export async function consumeAuthorizationRequest(
  sql: Queryable,
  { stateHash, userId }: Pick<AuthorizationRequest, 'stateHash' | 'userId'>,
): Promise<Pick<AuthorizationRequest, 'siteUrl' | 'redirectUri' | 'codeVerifier'> | undefined> {
  const [request] = await sql.query<Pick<AuthorizationRequest, 'siteUrl' | 'redirectUri' | 'codeVerifier'>>(
    `DELETE FROM import_authorization_requests
     WHERE state_hash = $1 AND user_id = $2 AND expires_at > now()
     RETURNING site_url AS "siteUrl", redirect_uri AS "redirectUri", code_verifier AS "codeVerifier"`,
    [stateHash, userId],
  );
  return request;
}

/** Stores a connection, or the new token of an existing one. @returns its id */
export async function upsertConnection(
  sql: Queryable,
  connection: Omit<ConnectionRow, 'id' | 'createdAt'>,
): Promise<string> {
  const { userId, source, siteId, siteUrl, sealedAccessToken } = connection;
  const [row] = await sql.query<{ id: string }>(
    `INSERT INTO import_connections (id, user_id, source, site_id, site_url, sealed_access_token)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (user_id, source, site_id) DO UPDATE
       SET site_url = excluded.site_url, sealed_access_token = excluded.sealed_access_token, created_at = now()
     RETURNING id`,
    [ulid(), userId, source, siteId, siteUrl, sealedAccessToken],
  );
  if (!row) throw new Error('upsertConnection: no row returned');
  return row.id;
}

/** The connections of a user, the newest first. */
export function selectConnections(sql: Queryable, userId: string): Promise<ConnectionRow[]> {
  return sql.query<ConnectionRow>(
    `SELECT ${connectionColumns} FROM import_connections WHERE user_id = $1 ORDER BY created_at DESC, id DESC`,
    [userId],
  );
}

/** @returns undefined when the user has no such connection */
export async function selectConnection(
  sql: Queryable,
  { id, userId, source }: Pick<ConnectionRow, 'id' | 'userId' | 'source'>,
): Promise<ConnectionRow | undefined> {
  const [row] = await sql.query<ConnectionRow>(
    `SELECT ${connectionColumns} FROM import_connections WHERE id = $1 AND user_id = $2 AND source = $3`,
    [id, userId, source],
  );
  return row;
}

/** @returns whether the user had the connection */
export async function deleteConnectionRow(
  sql: Queryable,
  { id, userId }: Pick<ConnectionRow, 'id' | 'userId'>,
): Promise<boolean> {
  const deleted = await sql.query(
    'DELETE FROM import_connections WHERE id = $1 AND user_id = $2 RETURNING 1',
    [id, userId],
  );
  return deleted.length > 0;
}
