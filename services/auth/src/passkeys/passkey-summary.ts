import type { Sql } from '@quire/database';
import { CredentialSummary, type CredentialCounts, type UserCredentials } from '../users/index.js';
import { passkeysOf } from './passkeys.repository.js';

/** Users sign in with their passkeys: what administrators see of those (contract 24). */
export class PasskeySummary extends CredentialSummary {
  override async of(sql: Sql, userId: string): Promise<UserCredentials> {
    const passkeys = await passkeysOf(sql, userId);
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
    sql: Sql,
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
