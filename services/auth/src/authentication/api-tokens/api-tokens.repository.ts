import { columnsOf, insertRow, type Queryable, type Row } from '@quire/database';
import { ulid } from '@quire/values';
import { ApiToken } from './api-token.entity.js';

/** A token in responses to its user. */
export type ApiTokenRow = Omit<Row<ApiToken>, 'tokenHash'>;

const columns = columnsOf(ApiToken, { except: ['tokenHash'] });

/** @returns the tokens of a user, newest first; none without a user. */
export function selectApiTokens(sql: Queryable, userId: string | null): Promise<ApiTokenRow[]> {
  return sql.query<ApiTokenRow>(
    `SELECT ${columns} FROM api_tokens WHERE user_id = $1 ORDER BY created_at DESC, id DESC`,
    [userId],
  );
}

/** Inserts a token with a new id. @returns its row without the hash. */
export async function insertApiToken(
  tx: Queryable,
  token: Omit<Row<ApiToken>, 'id' | 'lastUsedAt' | 'createdAt'>,
): Promise<ApiTokenRow> {
  const { tokenHash: _, ...inserted } = await insertRow(tx, ApiToken, { id: ulid(), ...token });
  return inserted;
}

/** Deletes a token of a user. @returns whether there was one. */
export async function deleteApiToken(tx: Queryable, id: string, userId: string | null): Promise<boolean> {
  const deleted = await tx.query('DELETE FROM api_tokens WHERE id = $1 AND user_id = $2 RETURNING id', [
    id,
    userId,
  ]);
  return deleted.length > 0;
}
