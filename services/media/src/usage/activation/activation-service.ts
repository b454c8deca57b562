import type { Context } from '@quire/context';
import type { InternalApiClient } from '@quire/http-server';
import type { RegisteredCollection } from '../content-references.client.js';
import { trackCollection } from '../usage-coverage.repository.js';
import type { UsageDeps } from '../usage-deps.js';

/** What the operations of the activation work with, beside their context. */
export class ActivationService {
  constructor(
    readonly usage: UsageDeps,
    private readonly content: InternalApiClient,
  ) {}

  /** Has changes of the media that entries of a collection use indexed as they come, from now on. */
  async track(ctx: Context, collection: RegisteredCollection): Promise<void> {
    // Before content tells of the first change, so that none is taken for one of a collection that is not tracked.
    await trackCollection(ctx.db, collection);
    await this.usage.content.follow(ctx, collection.slug);
  }

  /** The same for collections that are yet to be made. */
  async trackNewCollections(ctx: Context): Promise<void> {
    await this.usage.content.follow(ctx, '*');
  }

  /** Has writes of content and schema refused, or taken again. */
  async fence(ctx: Context, raised: boolean): Promise<void> {
    await this.content.request(ctx, 'write-fence', { code: 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS', raised });
  }

  /** The site's collections after one, in the order of their slugs' characters. */
  async collectionsAfter(ctx: Context, slug: string | null): Promise<RegisteredCollection[]> {
    const collections = await this.usage.content.collections(ctx);
    return collections
      .filter((collection) => slug === null || collection.slug > slug)
      .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  }
}
