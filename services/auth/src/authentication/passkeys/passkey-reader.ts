import type { Queryable } from '@quire/database';
import { CredentialReader, type CredentialCounts, type UserCredentials } from '../../users/index.js';
import { selectPasskeyCounts, selectPasskeys } from './passkeys.repository.js';

/** The passkeys of users, for administrators (contract 24). */
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
    const rows = await selectPasskeyCounts(sql, userIds);
    return new Map(rows.map(({ userId, count }) => [userId, { credentialCount: count, oauthProviders: [] }]));
  }
}
