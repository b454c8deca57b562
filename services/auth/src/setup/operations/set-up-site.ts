import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { setupProgress } from '../setup.repository.js';
import type { SiteSeed } from '../site-seed.js';
import type { SiteNames, SiteSettings } from '../site-settings.js';

/** What the first step of the setup is told. */
export interface NewSite extends SiteNames {
  /** Whether the site begins with entries that show how things are meant. */
  includeContent: boolean;
}

/**
 * Gives the site its title and tagline, and what new sites begin with. It may be said again until there is a user.
 * @returns how many settings were stored, and how many collections, fields, taxonomies and entries were made.
 * @throws QuireError ALREADY_CONFIGURED once there are users, SEED_ERROR, SERVICE_UNAVAILABLE.
 */
export async function setUpSite(
  ctx: Context,
  { settings, seed }: { settings: SiteSettings; seed: SiteSeed },
  { title, tagline, includeContent }: NewSite,
): Promise<Record<string, number>> {
  const { hasUsers } = await setupProgress(ctx.db);
  if (hasUsers) throw new QuireError('ALREADY_CONFIGURED', 'This site is set up already');
  await settings.store(ctx, { title, tagline });
  const made = await seed.apply(ctx, includeContent);
  await ctx.db.query('UPDATE setup_state SET site_saved_at = now()');
  return { settings: tagline === null ? 1 : 2, ...made };
}
