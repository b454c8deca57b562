import type { Queryable } from '@quire/database';
import { PasskeyReader } from '../passkeys/index.js';
import type { CredentialCounts, UserCredentials } from '../../users/index.js';
import { selectLinkedAccounts, selectLinkedProviders } from './providers.repository.js';

/** The passkeys and external accounts of users, for administrators (contract 24). */
export class LinkedAccountReader extends PasskeyReader {
  override async of(sql: Queryable, userId: string): Promise<UserCredentials> {
    const { credentials } = await super.of(sql, userId);
    return { credentials, oauthAccounts: await selectLinkedAccounts(sql, userId) };
  }

  override async countsOf(
    sql: Queryable,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, CredentialCounts>> {
    const counts = new Map(await super.countsOf(sql, userIds));
    for (const { userId, providers } of await selectLinkedProviders(sql, userIds))
      counts.set(userId, {
        credentialCount: counts.get(userId)?.credentialCount ?? 0,
        oauthProviders: providers,
      });
    return counts;
  }
}
