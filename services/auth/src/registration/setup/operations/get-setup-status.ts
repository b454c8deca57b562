import type { Context } from '@quire/context';
import type { contentApi } from '@quire/internal-api';
import type { SignInMode } from '../../../authentication/sign-in-mode.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { isSetUp, selectSetupProgress } from '../setup.repository.js';
import type { SiteSeed } from '../site-seed.js';

export type SetupStatus =
  | { needsSetup: false }
  | {
      needsSetup: true;
      /** Whether the caller has to open the setup link first. */
      needsLink: boolean;
      step: 'start' | 'admin';
      seedInfo: contentApi.SeedInfo | null;
      authMode: string;
    };

/** Whether the site has its first user, and if not what is next and what new sites begin with (contract 26). */
export async function getSetupStatus(
  ctx: Context,
  { seed, mode, access }: { seed: SiteSeed; mode: SignInMode; access: SetupAccess },
  link: SetupLink,
): Promise<SetupStatus> {
  const progress = await selectSetupProgress(ctx.db);
  if (isSetUp(progress, mode)) return { needsSetup: false };
  const step = progress.isSiteSaved ? 'admin' : 'start';
  const needsLink = access.needsLink(ctx, progress, link);
  return { needsSetup: true, needsLink, step, seedInfo: await seed.info(ctx), authMode: mode.type };
}
