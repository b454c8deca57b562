import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { requirePermission, requireScope } from '@quire/permissions';
import type { SignInMode } from '../../mode/index.js';
import { isSetUp, setupProgress } from '../setup.repository.js';
import type { SiteNames, SiteSettings } from '../site-settings.js';

/**
 * Gives the site its title and tagline. It may be said again until there is a user. Where a proxy signs people in, an
 * administrator does it, once, and the setup is complete.
 * @returns how many settings were stored.
 * @throws QuireError ALREADY_CONFIGURED once the site is set up, SERVICE_UNAVAILABLE; FORBIDDEN, INSUFFICIENT_SCOPE
 * behind a proxy.
 */
export async function setUpSite(
  ctx: Context,
  { settings, mode }: { settings: SiteSettings; mode: SignInMode },
  names: SiteNames,
): Promise<{ settings: number }> {
  const progress = await setupProgress(ctx.db);
  if (mode.isExternal) requireAdministrator(ctx);
  if (isSetUp(progress, mode)) throw new QuireError('ALREADY_CONFIGURED', 'This site is set up already');
  await settings.store(ctx, names);
  await ctx.db.query(
    `UPDATE setup_state SET site_saved_at = now(), completed_at = CASE WHEN $1 THEN now() ELSE completed_at END`,
    [mode.isExternal],
  );
  return { settings: names.tagline === null ? 1 : 2 };
}

function requireAdministrator({ principal }: Context): void {
  requireScope(principal, 'settings:manage');
  requirePermission(principal, 'settings:manage');
}
