import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { assertPermission, assertScope } from '@quire/permissions';
import type { SignInMode } from '../../../authentication/sign-in-mode.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { lockSetup, isSetUp, selectSetupProgress } from '../setup.repository.js';
import type { SiteSeed } from '../site-seed.js';
import type { SiteNames, SiteSettings } from '../site-settings.js';

/** What the first step of the setup is told. */
export interface NewSite extends SiteNames {
  /** Whether the site begins with entries that show how things are meant. */
  includeContent: boolean;
}

/**
 * Gives the site its title and tagline, and what new sites begin with. It may be said again until there is a user.
 * Where a proxy signs people in, an administrator does it, once, and the setup is complete.
 * @returns how many settings were stored, and how many collections, fields, taxonomies and entries were made.
 * @throws QuireError ALREADY_CONFIGURED once the site is set up, SEED_ERROR, SERVICE_UNAVAILABLE; FORBIDDEN
 * without the setup link; FORBIDDEN, INSUFFICIENT_SCOPE behind a proxy.
 */
export async function setUpSite(
  ctx: Context,
  {
    settings,
    seed,
    mode,
    access,
  }: { settings: SiteSettings; seed: SiteSeed; mode: SignInMode; access: SetupAccess },
  { title, tagline, includeContent, link }: NewSite & { link: SetupLink },
): Promise<Record<string, number>> {
  if (mode.isExternal) assertAdministrator(ctx);
  return ctx.db.transaction(async (tx) => {
    // Held until all is stored: whoever makes the first user meanwhile would find the site named by somebody else.
    await lockSetup(tx);
    const progress = await selectSetupProgress(tx);
    if (isSetUp(progress, mode)) throw new QuireError('ALREADY_CONFIGURED', 'This site is already set up');
    access.assertAllowed(ctx, progress, link);
    await settings.store(ctx, { title, tagline });
    const made = await seed.apply(ctx, includeContent);
    await tx.query(
      `UPDATE setup_state SET site_saved_at = now(), completed_at = CASE WHEN $1 THEN now() ELSE completed_at END`,
      [mode.isExternal],
    );
    return { settings: tagline === null ? 1 : 2, ...made };
  });
}

function assertAdministrator({ principal }: Context): void {
  assertScope(principal, 'settings:manage');
  assertPermission(principal, 'settings:manage');
}
