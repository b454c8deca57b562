import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { RequestOptions, InternalApiClient } from '@quire/http-server';

/** What content may show of a user. */
export interface KnownUser {
  id: string;
  name: string | null;
  email: string;
  avatarUrl: string | null;
}

const batchSize = 1000;
/** What can be done without is not waited for long. */
const shortTimeout: RequestOptions = { timeoutMs: 2_000 };

/** Names of users, from the auth service. Off the hot path: only lists of people need it. */
export class AuthClient {
  constructor(private readonly auth: InternalApiClient) {}

  /** The users of these ids; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[], options: RequestOptions = {}): Promise<KnownUser[]> {
    const found: KnownUser[] = [];
    for (let start = 0; start < ids.length; start += batchSize) {
      const requested = { ids: ids.slice(start, start + batchSize) };
      found.push(
        ...(await this.auth.request<{ items: KnownUser[] }>(ctx, 'users/by-ids', requested, options)).items,
      );
    }
    return found;
  }

  /** Whether an address is that of a user; also while the auth service is away and that is not known. */
  async mayHaveEmail(ctx: Context, email: string): Promise<boolean> {
    const request = () =>
      this.auth.request<{ isTaken: boolean }>(ctx, 'users/by-address', { email }, shortTimeout);
    return (await undefinedIfUnavailable(request))?.isTaken ?? true;
  }

  /** How many users there are; null while the auth service is away. */
  async count(ctx: Context): Promise<number | null> {
    const request = () => this.auth.request<{ count: number }>(ctx, 'users/count', undefined, shortTimeout);
    return (await undefinedIfUnavailable(request))?.count ?? null;
  }

  /** How people sign in; null while the auth service is away. */
  async mode(ctx: Context): Promise<{ authMode: string; signupEnabled: boolean } | null> {
    return (
      (await undefinedIfUnavailable(() => this.auth.request(ctx, 'mode', undefined, shortTimeout))) ?? null
    );
  }
}

async function undefinedIfUnavailable<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof QuireError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    return undefined;
  }
}
