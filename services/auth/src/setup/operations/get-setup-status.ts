import type { Context } from '@quire/context';
import type { SignInMode } from '../../mode/index.js';
import { isSetUp, setupProgress } from '../setup.repository.js';

export type SetupStatus =
  { needsSetup: false } | { needsSetup: true; step: 'start' | 'admin'; seedInfo: null; authMode: string };

/** Whether the site has its first user, and what is next if not (contract 26). Sites are set up without a seed. */
export async function getSetupStatus(ctx: Context, mode: SignInMode): Promise<SetupStatus> {
  const progress = await setupProgress(ctx.db);
  return isSetUp(progress, mode)
    ? { needsSetup: false }
    : {
        needsSetup: true,
        step: progress.isSiteSaved ? 'admin' : 'start',
        seedInfo: null,
        authMode: mode.type,
      };
}
