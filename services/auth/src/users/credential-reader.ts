import type { Queryable } from '@quire/database';

/** A passkey of a user, as shown to administrators. */
interface UserCredential {
  id: string;
  name: string | null;
  deviceType: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

/** A user's account at a login provider. */
interface UserProviderAccount {
  provider: string;
  createdAt: string;
}

/** All credentials of one user. */
export interface UserCredentials {
  credentials: UserCredential[];
  oauthAccounts: UserProviderAccount[];
}

/** A summary of a user's credentials. */
export interface CredentialCounts {
  credentialCount: number;
  /** Distinct. */
  oauthProviders: string[];
}

/** Reads passkeys and provider accounts of users. The folders that store them implement it. */
export abstract class CredentialReader {
  /** @returns the credentials of one user, oldest first. */
  abstract of(sql: Queryable, userId: string): Promise<UserCredentials>;
  /** @returns the summaries of several users, by user id; users without credentials may be missing. */
  abstract countsOf(
    sql: Queryable,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, CredentialCounts>>;
}
