import type { Queryable } from '@quire/database';

/** A passkey of a user, as administrators see it. */
export interface UserCredential {
  id: string;
  name: string | null;
  deviceType: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

/** An account at a login provider that a user signs in with. */
export interface UserProviderAccount {
  provider: string;
  createdAt: string;
}

export interface UserCredentials {
  credentials: UserCredential[];
  oauthAccounts: UserProviderAccount[];
}

export interface CredentialCounts {
  credentialCount: number;
  /** Each provider once. */
  oauthProviders: string[];
}

/** With what users sign in. The folders that keep passkeys and provider accounts answer it. */
export abstract class CredentialReader {
  /** All of one user's, oldest first. */
  abstract of(sql: Queryable, userId: string): Promise<UserCredentials>;
  /** In short, of many users at once; users without any may be left out. */
  abstract countsOf(
    sql: Queryable,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, CredentialCounts>>;
}
