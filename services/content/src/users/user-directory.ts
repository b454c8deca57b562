import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { AskTerms, ServiceQuestions } from '@quire/http-server';

/** What content may show of a user. */
export interface KnownUser {
  id: string;
  name: string | null;
  email: string;
  avatarUrl: string | null;
}

const batchSize = 1000;
/** What can be done without is not waited for long. */
const briefly: AskTerms = { withinMs: 2_000 };

/** Names of users, asked of the auth service. Off the hot path: only lists of people need it. */
export class UserDirectory {
  constructor(private readonly auth: ServiceQuestions) {}

  /** The users of these ids; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[], terms: AskTerms = {}): Promise<KnownUser[]> {
    const found: KnownUser[] = [];
    for (let start = 0; start < ids.length; start += batchSize) {
      const asked = { ids: ids.slice(start, start + batchSize) };
      found.push(...(await this.auth.ask<{ items: KnownUser[] }>(ctx, 'users/by-ids', asked, terms)).items);
    }
    return found;
  }

  /** Whether an address is that of a user; also while the auth service is away and that is not known. */
  async mayHaveAddress(ctx: Context, email: string): Promise<boolean> {
    const ask = () => this.auth.ask<{ isTaken: boolean }>(ctx, 'users/by-address', { email }, briefly);
    return (await unlessAway(ask))?.isTaken ?? true;
  }

  /** How many users there are; null while the auth service is away. */
  async count(ctx: Context): Promise<number | null> {
    const ask = () => this.auth.ask<{ count: number }>(ctx, 'users/count', undefined, briefly);
    return (await unlessAway(ask))?.count ?? null;
  }

  /** How people sign in; null while the auth service is away. */
  async mode(ctx: Context): Promise<{ authMode: string; signupEnabled: boolean } | null> {
    return (await unlessAway(() => this.auth.ask(ctx, 'mode', undefined, briefly))) ?? null;
  }
}

async function unlessAway<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof QuireError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    return undefined;
  }
}
