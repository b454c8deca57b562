import type { Context } from '@quire/context';
import type { ServiceQuestions } from '@quire/http-server';

/** What content may show of a user. */
export interface KnownUser {
  id: string;
  name: string | null;
  email: string;
  avatarUrl: string | null;
}

const batchSize = 1000;

/** Names of users, asked of the auth service. Off the hot path: only lists of people need it. */
export class UserDirectory {
  constructor(private readonly auth: ServiceQuestions) {}

  /** The users of these ids; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[]): Promise<KnownUser[]> {
    const found: KnownUser[] = [];
    for (let start = 0; start < ids.length; start += batchSize) {
      const asked = { ids: ids.slice(start, start + batchSize) };
      found.push(...(await this.auth.ask<{ items: KnownUser[] }>(ctx, 'users/by-ids', asked)).items);
    }
    return found;
  }
}
