import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { authApi, type ResponseOf } from '@quire/internal-api';
import type { CallOptions, InternalApiClient } from '@quire/service-client';

/** For optional data, which a response does not wait for. */
const shortTimeout: CallOptions = { timeoutMs: 2_000 };
/** A response is sent without the name rather than late. */
const nameTimeout: CallOptions = { timeoutMs: 1_000 };

/** Users, from the auth service. Off the hot path: only lists of people need it. */
export class AuthClient {
  constructor(private readonly auth: InternalApiClient) {}

  /** The users of these ids; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(
    ctx: Context,
    ids: readonly string[],
    options: CallOptions = {},
  ): Promise<authApi.PublicUser[]> {
    const users: authApi.PublicUser[] = [];
    for (let start = 0; start < ids.length; start += authApi.maxUserIds) {
      const request = { ids: ids.slice(start, start + authApi.maxUserIds) };
      users.push(...(await this.auth.call(authApi.usersByIds, ctx, request, options)).items);
    }
    return users;
  }

  /** Name or e-mail address of a user; null for a deleted user, and while the auth service is unavailable. */
  async nameOrNull(ctx: Context, id: string): Promise<string | null> {
    const [user] = (await undefinedIfUnavailable(() => this.byIds(ctx, [id], nameTimeout))) ?? [];
    return user?.name ?? user?.email ?? null;
  }

  /** The names of users by id, for a list; empty while the auth service is unavailable. @param ids null is no user */
  async namesOrEmpty(ctx: Context, ids: readonly (string | null)[]): Promise<Map<string, string | null>> {
    const distinct = [...new Set(ids.filter((id) => id !== null))];
    if (distinct.length === 0) return new Map();
    const users = await undefinedIfUnavailable(() => this.byIds(ctx, distinct, nameTimeout));
    return new Map(users?.map(({ id, name }) => [id, name]));
  }

  /** Whether an address belongs to a user; true while the auth service is unavailable. */
  async mayHaveEmail(ctx: Context, email: string): Promise<boolean> {
    const request = () => this.auth.call(authApi.isEmailTaken, ctx, { email }, shortTimeout);
    return (await undefinedIfUnavailable(request))?.isTaken ?? true;
  }

  /** The number of users; null while the auth service is unavailable. */
  async count(ctx: Context): Promise<number | null> {
    const request = () => this.auth.call(authApi.countUsers, ctx, undefined, shortTimeout);
    return (await undefinedIfUnavailable(request))?.count ?? null;
  }

  /** How users sign in; null while the auth service is unavailable. */
  async mode(ctx: Context): Promise<ResponseOf<typeof authApi.getSignInMode> | null> {
    const request = () => this.auth.call(authApi.getSignInMode, ctx, undefined, shortTimeout);
    return (await undefinedIfUnavailable(request)) ?? null;
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
