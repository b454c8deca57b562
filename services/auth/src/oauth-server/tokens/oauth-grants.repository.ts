import { columnsOf, type Queryable, type Row } from '@quire/database';
import { OAuthGrant } from './oauth-grant.entity.js';
import { accessTokenSeconds, grantDays, refreshTokenDays } from './oauth-token-generator.js';

const columns = columnsOf(OAuthGrant, { only: ['id', 'userId', 'clientId', 'scopes'] });

/** A grant without its tokens. */
export type GrantRow = Pick<Row<OAuthGrant>, 'id' | 'userId' | 'clientId' | 'scopes'>;

/** The id and the user of a grant, for the audit log. */
export type DeletedGrant = Pick<GrantRow, 'id' | 'userId'>;

/** A new grant, with the hashes of its first tokens. */
export interface GrantValues {
  id: string;
  clientId: string | null;
  userId: string;
  scopes: readonly string[];
  codeHash: string | null;
  familyHash: string | null;
  refreshHash: string;
  accessHash: string;
}

/** The state of a grant in relation to the refresh token of a request. */
export interface RefreshTokenState {
  isCurrent: boolean;
  /** Replaced within the grace period: the client may have missed the response. */
  isJustReplaced: boolean;
  salt: string;
}

/** Inserts a grant with its first refresh token and access token. */
export async function insertGrant(tx: Queryable, grant: GrantValues): Promise<void> {
  await tx.query(
    `INSERT INTO oauth_grants (id, client_id, user_id, scopes, code_hash, family_hash, refresh_hash, refresh_expires_at,
       access_hash, access_scopes, access_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 day', $9, $4, now() + $10 * interval '1 second')`,
    [
      grant.id,
      grant.clientId,
      grant.userId,
      grant.scopes,
      grant.codeHash,
      grant.familyHash,
      grant.refreshHash,
      refreshTokenDays,
      grant.accessHash,
      accessTokenSeconds,
    ],
  );
}

/**
 * Selects the unexpired grant of a refresh token.
 * @param familyHashes hashes of the token's family and of the whole token: grants from before rotation have the latter
 */
export async function selectGrant(
  sql: Queryable,
  familyHashes: readonly [string | null, string],
): Promise<GrantRow | undefined> {
  const [grant] = await sql.query<GrantRow>(
    `SELECT ${columns} FROM oauth_grants
     WHERE family_hash IN ($1, $2) AND refresh_expires_at > now() AND created_at > now() - $3 * interval '1 day'`,
    [...familyHashes, grantDays],
  );
  return grant;
}

/**
 * Locks a grant until the transaction ends.
 * @param presented.hash of the refresh token of the request
 * @param presented.graceSeconds for which a replaced token stays valid
 * @returns undefined when the grant is deleted.
 */
export async function lockGrant(
  tx: Queryable,
  id: string,
  { hash, graceSeconds }: { hash: string; graceSeconds: number },
): Promise<RefreshTokenState | undefined> {
  const [state] = await tx.query<RefreshTokenState>(
    `SELECT refresh_hash = $2 AS "isCurrent", refresh_salt AS salt,
       coalesce(previous_hash = $2 AND refreshed_at > now() - $3 * interval '1 second', false) AS "isJustReplaced"
     FROM oauth_grants WHERE id = $1 FOR UPDATE`,
    [id, hash, graceSeconds],
  );
  return state;
}

/** Replaces the refresh token of a grant. The grant's maximum age limits the lifetime of the new token. */
export async function updateRefreshToken(
  tx: Queryable,
  id: string,
  {
    familyHash,
    refreshHash,
    previousHash,
  }: { familyHash: string | null; refreshHash: string; previousHash: string },
): Promise<void> {
  await tx.query(
    `UPDATE oauth_grants SET family_hash = $2, refresh_hash = $3, previous_hash = $4, refreshed_at = now(),
       refresh_expires_at = least(now() + $5 * interval '1 day', created_at + $6 * interval '1 day') WHERE id = $1`,
    [id, familyHash, refreshHash, previousHash, refreshTokenDays, grantDays],
  );
}

/** Replaces the access token of a grant. */
export async function updateAccessToken(
  tx: Queryable,
  id: string,
  { accessHash, scopes }: { accessHash: string; scopes: readonly string[] },
): Promise<void> {
  await tx.query(
    `UPDATE oauth_grants SET access_hash = $2, access_scopes = $3, access_expires_at = now() + $4 * interval '1 second'
     WHERE id = $1`,
    [id, accessHash, scopes, accessTokenSeconds],
  );
}

/** Deletes an access token; its grant and the refresh token stay valid. @returns its user, if it existed. */
export function deleteAccessToken(tx: Queryable, accessHash: string): Promise<{ userId: string }[]> {
  return tx.query<{ userId: string }>(
    'UPDATE oauth_grants SET access_hash = NULL WHERE access_hash = $1 RETURNING user_id AS "userId"',
    [accessHash],
  );
}

/** Deletes a grant with its tokens. */
export async function deleteGrant(tx: Queryable, id: string): Promise<void> {
  await tx.query('DELETE FROM oauth_grants WHERE id = $1', [id]);
}

/** Deletes the grant that an authorization code was exchanged for. @returns the deleted grants. */
export function deleteGrantsOfCode(tx: Queryable, codeHash: string): Promise<DeletedGrant[]> {
  return tx.query<DeletedGrant>(
    'DELETE FROM oauth_grants WHERE code_hash = $1 RETURNING id, user_id AS "userId"',
    [codeHash],
  );
}

/** Deletes the grant of a current or replaced refresh token. @param familyHashes as of `selectGrant` */
export function deleteGrantsOfRefreshToken(
  tx: Queryable,
  familyHashes: readonly [string | null, string],
): Promise<DeletedGrant[]> {
  return tx.query<DeletedGrant>(
    'DELETE FROM oauth_grants WHERE family_hash IN ($1, $2) RETURNING id, user_id AS "userId"',
    [...familyHashes],
  );
}

/** Deletes all grants of a user with their tokens. */
export async function deleteGrantsOfUser(tx: Queryable, userId: string): Promise<void> {
  await tx.query('DELETE FROM oauth_grants WHERE user_id = $1', [userId]);
}

/** Deletes up to 100 expired grants. Rows that other transactions have locked are skipped. */
export async function deleteExpiredGrants(tx: Queryable): Promise<void> {
  await tx.query(
    `DELETE FROM oauth_grants WHERE id IN (
       SELECT id FROM oauth_grants WHERE refresh_expires_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED)`,
  );
}
