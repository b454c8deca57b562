import type { Context } from '@quire/context';
import { contentApi, type CallInput } from '@quire/internal-api';
import { BatchLoader } from '@quire/jobs';
import type { InternalApiClient } from '@quire/service-client';

/** Reads references to media from the content service. Nothing is cached. */
export class ContentReferencesClient {
  private readonly batches = new BatchLoader<contentApi.MediaReferencesPage>();

  constructor(private readonly content: InternalApiClient) {}

  /** All collections of the site, by slug. @throws QuireError SERVICE_UNAVAILABLE */
  async collections(ctx: Context): Promise<contentApi.RegisteredCollection[]> {
    return (await this.content.call(contentApi.listRegisteredCollections, ctx)).collections;
  }

  /** What can reference media items: collections, and site settings that do. @throws QuireError SERVICE_UNAVAILABLE */
  referrers(ctx: Context): Promise<contentApi.MediaReferrers> {
    return this.content.call(contentApi.getMediaReferrers, ctx);
  }

  /**
   * Reads the references of a collection's entries: of the given entries, or of the next page.
   * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE.
   */
  references(
    ctx: Context,
    request: CallInput<typeof contentApi.getMediaReferences>,
  ): Promise<contentApi.MediaReferencesPage> {
    return this.content.call(contentApi.getMediaReferences, ctx, request);
  }

  /**
   * Reads the references of one entry, and in the same request those of other entries of its collection that were
   * requested during the last one.
   * @throws as `references`
   */
  referencesOf(ctx: Context, collection: string, id: string): Promise<contentApi.MediaReferencesPage> {
    return this.batches.add(`${ctx.principal.tenant.id}/${collection}`, id, (ids) =>
      this.references(ctx, { collection, ids }),
    );
  }

  /** Subscribes this service's worker to every change of a collection's entries. @throws as `references` */
  async subscribe(ctx: Context, collection: string): Promise<void> {
    const subscription = { subscriber: 'media-usage', collection, isSubscribed: true } as const;
    await this.content.call(contentApi.updateChangeSubscription, ctx, subscription);
  }
}
