import { columnsOf, type Queryable, type Row } from '@quire/database';
import { OAuthCode } from './oauth-code.entity.js';

const presentedColumns = columnsOf(OAuthCode, { except: ['codeHash', 'expiresAt'] });

/** An authorization code as the token endpoint checks it. */
export type PresentedCodeRow = Omit<Row<OAuthCode>, 'codeHash' | 'expiresAt'> & { isExpired: boolean };

/** The user and the client of a code. */
export type CodeOwner = Pick<Row<OAuthCode>, 'userId' | 'clientId'>;

/** Inserts a code that is valid for `lifetimeMinutes`. */
export async function insertCode(
  tx: Queryable,
  code: Omit<Row<OAuthCode>, 'expiresAt'>,
  lifetimeMinutes: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO oauth_codes (code_hash, client_id, user_id, redirect_uri, challenge, scopes, resource, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 minute')`,
    [
      code.codeHash,
      code.clientId,
      code.userId,
      code.redirectUri,
      code.challenge,
      code.scopes,
      code.resource,
      lifetimeMinutes,
    ],
  );
}

/** @returns the user and the client that a code was issued for; undefined for an unknown code. */
export async function selectCodeOwner(sql: Queryable, codeHash: string): Promise<CodeOwner | undefined> {
  const [owner] = await sql.query<CodeOwner>(
    'SELECT user_id AS "userId", client_id AS "clientId" FROM oauth_codes WHERE code_hash = $1',
    [codeHash],
  );
  return owner;
}

/** Deletes a code and returns it: of concurrent requests with one code, one gets the row. */
export async function deletePresentedCode(
  tx: Queryable,
  codeHash: string,
): Promise<PresentedCodeRow | undefined> {
  const [code] = await tx.query<PresentedCodeRow>(
    `DELETE FROM oauth_codes WHERE code_hash = $1
     RETURNING ${presentedColumns}, expires_at <= now() AS "isExpired"`,
    [codeHash],
  );
  return code;
}

/** Deletes a code, if it exists. */
export async function deleteCode(sql: Queryable, codeHash: string): Promise<void> {
  await sql.query('DELETE FROM oauth_codes WHERE code_hash = $1', [codeHash]);
}

/** Deletes the codes that a user has approved and no client has presented. */
export async function deleteCodesOfUser(tx: Queryable, userId: string): Promise<void> {
  await tx.query('DELETE FROM oauth_codes WHERE user_id = $1', [userId]);
}

/** Deletes up to 100 expired codes. Rows that other transactions have locked are skipped. */
export async function deleteExpiredCodes(tx: Queryable): Promise<void> {
  await tx.query(
    `DELETE FROM oauth_codes WHERE code_hash IN (
       SELECT code_hash FROM oauth_codes WHERE expires_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED)`,
  );
}
