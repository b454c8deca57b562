import type { Queryable } from '@quire/database';
import { PasskeyReader } from '../passkeys/index.js';
import type { CredentialCounts, UserCredentials } from '../../users/index.js';

/** Users sign in with passkeys and with accounts elsewhere: what administrators see of both (contract 24). */
export class LinkedAccountReader extends PasskeyReader {
  override async of(sql: Queryable, userId: string): Promise<UserCredentials> {
    const { credentials } = await super.of(sql, userId);
    const oauthAccounts = await sql.query<UserCredentials['oauthAccounts'][number]>(
      `SELECT provider, created_at AS "createdAt" FROM login_accounts WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
    return { credentials, oauthAccounts };
  }

  override async countsOf(
    sql: Queryable,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, CredentialCounts>> {
    const counts = new Map(await super.countsOf(sql, userIds));
    const rows = await sql.query<{ userId: string; providers: string[] }>(
      `SELECT user_id AS "userId", array_agg(DISTINCT provider ORDER BY provider) AS providers
       FROM login_accounts WHERE user_id = ANY($1) GROUP BY user_id`,
      [userIds],
    );
    for (const { userId, providers } of rows)
      counts.set(userId, {
        credentialCount: counts.get(userId)?.credentialCount ?? 0,
        oauthProviders: providers,
      });
    return counts;
  }
}
