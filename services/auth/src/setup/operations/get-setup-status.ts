import type { Context } from '@quire/context';
import type { SignInMode } from '../../mode/index.js';
import { isSetUp, setupProgress } from '../setup.repository.js';
import type { SeedInfo, SiteSeed } from '../site-seed.js';

export type SetupStatus =
  | { needsSetup: false }
  | { needsSetup: true; step: 'start' | 'admin'; seedInfo: SeedInfo | null; authMode: string };

/** Whether the site has its first user, and if not what is next and what new sites begin with (contract 26). */
export async function getSetupStatus(
  ctx: Context,
  { seed, mode }: { seed: SiteSeed; mode: SignInMode },
): Promise<SetupStatus> {
  const progress = await setupProgress(ctx.db);
  if (isSetUp(progress, mode)) return { needsSetup: false };
  const step = progress.isSiteSaved ? 'admin' : 'start';
  return { needsSetup: true, step, seedInfo: await seed.info(ctx), authMode: mode.type };
}
