import type { Context } from '@quire/context';
import { contentApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';
import { trackCollection } from '../usage-coverage.repository.js';
import type { UsageDeps } from '../usage-deps.js';

/** Dependencies of the operations of the activation. */
export class ActivationService {
  constructor(
    readonly usage: UsageDeps,
    private readonly content: InternalApiClient,
  ) {}

  /** Tracks a collection: changes of the media that its entries use are indexed from now on. */
  async track(ctx: Context, collection: contentApi.RegisteredCollection): Promise<void> {
    // Before the subscription: a change of a collection that is not tracked would be dropped.
    await trackCollection(ctx.db, collection);
    await this.usage.content.subscribe(ctx, collection.slug);
  }

  /** Tracks collections that are created from now on. */
  async trackNewCollections(ctx: Context): Promise<void> {
    await this.usage.content.subscribe(ctx, contentApi.newCollections);
  }

  /** Rejects writes of content and schema, or accepts them again. */
  async fence(ctx: Context, raised: boolean): Promise<void> {
    const code = 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS';
    await this.content.call(contentApi.setWriteFence, ctx, { code, raised });
  }

  /** The site's collections after a slug, in the order of the characters of their slugs. */
  async collectionsAfter(ctx: Context, slug: string | null): Promise<contentApi.RegisteredCollection[]> {
    const collections = await this.usage.content.collections(ctx);
    return collections
      .filter((collection) => slug === null || collection.slug > slug)
      .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  }
}
