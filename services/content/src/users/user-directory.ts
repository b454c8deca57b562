import type { InternalTokenSigner } from '@quire/context';
import { internalTokenHeader, systemActor, type Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';

/** What content may show of a user. */
export interface KnownUser {
  id: string;
  name: string | null;
  email: string;
  avatarUrl: string | null;
}

const path = `${internalPrefix}/auth/users/by-ids`;
const batchSize = 1000;

/** Names of users, asked of the auth service. Off the hot path: only lists of people need it. */
export class UserDirectory {
  constructor(
    private readonly auth: ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /** The users of these ids; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[]): Promise<KnownUser[]> {
    const found: KnownUser[] = [];
    for (let start = 0; start < ids.length; start += batchSize) {
      found.push(...(await this.ask(ctx, ids.slice(start, start + batchSize))));
    }
    return found;
  }

  private async ask(ctx: Context, ids: readonly string[]): Promise<KnownUser[]> {
    const token = this.signer.sign(systemActor(ctx.principal.tenant, 'system:content'));
    const { status, text } = await this.auth.ask(path, { ids }, { [internalTokenHeader]: token });
    if (status !== 200)
      throw new QuireError('SERVICE_UNAVAILABLE', 'Users cannot be looked up now; try again shortly', {
        retryAfterSeconds: 2,
      });
    return (JSON.parse(text) as { data: { items: KnownUser[] } }).data.items;
  }
}
