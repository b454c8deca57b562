import { internalTokenHeader, systemActor, type Context, type InternalTokenSigner } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';
import type { MediaReference } from '@quire/content-model';

export interface RegisteredCollection {
  id: string;
  slug: string;
}

/** An entry as it is now, with all that it refers to. */
export interface ReferringEntry {
  id: string;
  title: string | null;
  slug: string | null;
  locale: string;
  status: string;
  scheduledAt: string | null;
  deletedAt: string | null;
  /** `draft_overlay` is null when nothing is staged. */
  sources: { columns: MediaReference[]; draft_overlay: MediaReference[] | null };
}

export interface ReferringPage {
  collection: RegisteredCollection & { shape: string };
  entries: ReferringEntry[];
  /** After which id to go on; null when nothing is left. */
  next: string | null;
}

export interface MediaSetting {
  setting: string;
  mediaId: string;
}

const retryAfterSeconds = 2;

/** What the content service knows of the use of media, asked for at the moment that it is needed. */
export class ReferringContent {
  constructor(
    private readonly content: ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /** All collections of the site, by slug. @throws QuireError SERVICE_UNAVAILABLE */
  async collections(ctx: Context): Promise<RegisteredCollection[]> {
    const { collections } = await this.ask<{ collections: RegisteredCollection[] }>(ctx, 'collections', {});
    return collections;
  }

  /** Which settings select which items. @throws QuireError SERVICE_UNAVAILABLE */
  async settings(ctx: Context): Promise<MediaSetting[]> {
    return (await this.ask<{ selected: MediaSetting[] }>(ctx, 'media-settings', {})).selected;
  }

  /**
   * What a collection's entries refer to: a certain one, or the next ones.
   * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE.
   */
  references(
    ctx: Context,
    query: { collection: string } & ({ ids: readonly string[] } | { after: string | null; limit: number }),
  ): Promise<ReferringPage> {
    return this.ask<ReferringPage>(ctx, 'media-references', query);
  }

  /** Has this service's worker told of every change of a collection's entries from now on. @throws as `references` */
  async follow(ctx: Context, collection: string): Promise<void> {
    await this.ask(ctx, 'changes/follow', { follower: 'media-usage', collection, follows: true });
  }

  private async ask<Data>(ctx: Context, path: string, body: object): Promise<Data> {
    const token = this.signer.sign(systemActor(ctx.principal.tenant, 'system:media-usage'));
    const url = `${internalPrefix}/content/${path}`;
    const { status, text } = await this.content.ask(url, body, { [internalTokenHeader]: token });
    if (status === 200) return (JSON.parse(text) as { data: Data }).data;
    if (status === 404) throw new QuireError('COLLECTION_NOT_FOUND', 'There is no such collection');
    throw new QuireError('SERVICE_UNAVAILABLE', 'Content does not answer; try again shortly', {
      retryAfterSeconds,
    });
  }
}
