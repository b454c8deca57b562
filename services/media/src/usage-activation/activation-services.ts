import type { Context } from '@quire/context';
import type { ServiceQuestions } from '@quire/http-server';
import type { UsageHistory } from './usage-history.js';

/** What the operations of the activation work with, beside their context. */
export class ActivationServices {
  constructor(
    readonly content: ServiceQuestions,
    readonly history: UsageHistory,
  ) {}

  /** Has content tell of every change of a collection's entries from now on; `*` stands for collections yet to be made. */
  async follow(ctx: Context, collection: string): Promise<void> {
    await this.content.ask(ctx, 'changes/follow', { follower: 'media-usage', collection, follows: true });
  }

  /** Has writes of content and schema refused, or taken again. */
  async fence(ctx: Context, raised: boolean): Promise<void> {
    await this.content.ask(ctx, 'write-fence', { code: 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS', raised });
  }

  /** Slugs of the site's collections after one, in the order of their characters. */
  async collectionsAfter(ctx: Context, slug: string | null): Promise<string[]> {
    const { collections } = await this.content.ask<{ collections: { slug: string }[] }>(
      ctx,
      'collections',
      {},
    );
    const slugs = collections.map((collection) => collection.slug).sort();
    return slugs.filter((next) => slug === null || next > slug);
  }
}
