import type { Queryable } from '@quire/database';
import { CredentialReader, type CredentialCounts, type UserCredentials } from '../../users/index.js';
import { selectPasskeys } from './passkeys.repository.js';

/** Users sign in with their passkeys: what administrators see of those (contract 24). */
export class PasskeyReader extends CredentialReader {
  override async of(sql: Queryable, userId: string): Promise<UserCredentials> {
    const passkeys = await selectPasskeys(sql, userId);
    const credentials = passkeys.map(({ id, name, deviceType, createdAt, lastUsedAt }) => ({
      id,
      name,
      deviceType,
      createdAt,
      lastUsedAt,
    }));
    return { credentials, oauthAccounts: [] };
  }

  override async countsOf(
    sql: Queryable,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, CredentialCounts>> {
    const rows = await sql.query<{ userId: string; count: number }>(
      `SELECT user_id AS "userId", count(*)::integer AS count FROM passkeys
       WHERE user_id = ANY($1) GROUP BY user_id`,
      [userIds],
    );
    return new Map(rows.map(({ userId, count }) => [userId, { credentialCount: count, oauthProviders: [] }]));
  }
}
