import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { setupProgress } from '../setup.repository.js';
import type { SiteNames, SiteSettings } from '../site-settings.js';

/**
 * Gives the site its title and tagline. It may be said again until there is a user.
 * @returns how many settings were stored.
 * @throws QuireError ALREADY_CONFIGURED once there are users, SERVICE_UNAVAILABLE.
 */
export async function setUpSite(
  ctx: Context,
  settings: SiteSettings,
  names: SiteNames,
): Promise<{ settings: number }> {
  const { hasUsers } = await setupProgress(ctx.db);
  if (hasUsers) throw new QuireError('ALREADY_CONFIGURED', 'This site is set up already');
  await settings.store(ctx, names);
  await ctx.db.query('UPDATE setup_state SET site_saved_at = now()');
  return { settings: names.tagline === null ? 1 : 2 };
}
