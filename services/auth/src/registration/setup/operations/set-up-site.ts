import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import { assertPermission, assertScope } from '@quire/permissions';
import type { SignInMode } from '../../../authentication/sign-in-mode.js';
import type { SiteSeed, SiteSettings } from '../content.client.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { lockSetup, isSetUp, selectSetupProgress, updateSiteSaved } from '../setup.repository.js';

/** Input of the first step of the setup. */
interface NewSite extends contentApi.SiteNames {
  /** Whether to create the example entries of the seed. */
  includeContent: boolean;
}

/**
 * Stores title and tagline of the site and applies the seed. It can be repeated until the site has a user. Behind an
 * edge access proxy it requires an administrator, runs once and completes the setup.
 * @returns the number of stored settings, and of created block types, collections, fields, taxonomies and entries.
 * @throws QuireError ALREADY_CONFIGURED once the site is set up, SEED_ERROR, SERVICE_UNAVAILABLE; FORBIDDEN
 *   without the setup link; FORBIDDEN, INSUFFICIENT_SCOPE behind a proxy.
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
    // Locked until settings and seed are stored: otherwise a concurrent request could create the first user before.
    await lockSetup(tx);
    const progress = await selectSetupProgress(tx);
    if (isSetUp(progress, mode)) throw new QuireError('ALREADY_CONFIGURED', 'This site is already set up');
    access.assertAllowed(ctx, progress, link);
    await settings.store(ctx, { title, tagline });
    const created = await seed.apply(ctx, includeContent);
    await updateSiteSaved(tx, { isComplete: mode.isExternal });
    return { settings: tagline === null ? 1 : 2, ...created };
  });
}

function assertAdministrator({ principal }: Context): void {
  assertScope(principal, 'settings:manage');
  assertPermission(principal, 'settings:manage');
}
