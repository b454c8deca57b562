import type { MediaReference } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { InternalApiClient } from '@quire/http-server';

export interface RegisteredCollection {
  id: string;
  slug: string;
}

/** An entry as it is now, with all that it refers to. */
export interface EntryReferences {
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

export interface ReferencePage {
  collection: RegisteredCollection & { shape: string };
  entries: EntryReferences[];
  /** After which id to go on; null when nothing is left. */
  next: string | null;
}

export interface MediaSetting {
  setting: string;
  mediaId: string;
}

/** What the content service knows of the use of media, asked for at the moment that it is needed. */
export class ContentReferencesClient {
  constructor(private readonly content: InternalApiClient) {}

  /** All collections of the site, by slug. @throws QuireError SERVICE_UNAVAILABLE */
  async collections(ctx: Context): Promise<RegisteredCollection[]> {
    interface Answer {
      collections: RegisteredCollection[];
    }
    return (await this.content.request<Answer>(ctx, 'collections', {})).collections;
  }

  /** Which settings select which items. @throws QuireError SERVICE_UNAVAILABLE */
  async settings(ctx: Context): Promise<MediaSetting[]> {
    return (await this.content.request<{ selected: MediaSetting[] }>(ctx, 'media-settings', {})).selected;
  }

  /**
   * What a collection's entries refer to: a certain one, or the next ones.
   * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE.
   */
  references(
    ctx: Context,
    query: { collection: string } & ({ ids: readonly string[] } | { after: string | null; limit: number }),
  ): Promise<ReferencePage> {
    return this.content.request<ReferencePage>(ctx, 'media-references', query);
  }

  /** Has this service's worker told of every change of a collection's entries from now on. @throws as `references` */
  async follow(ctx: Context, collection: string): Promise<void> {
    await this.content.request(ctx, 'changes/follow', { follower: 'media-usage', collection, follows: true });
  }
}
