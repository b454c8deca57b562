import type { Context } from '@quire/context';
import { setupProgress } from '../setup.repository.js';

export type SetupStatus =
  { needsSetup: false } | { needsSetup: true; step: 'start' | 'admin'; seedInfo: null; authMode: string };

/** Whether the site has its first user, and what is next if not (contract 26). Sites are set up without a seed. */
export async function getSetupStatus(ctx: Context): Promise<SetupStatus> {
  const { hasUsers, isSiteSaved } = await setupProgress(ctx.db);
  return hasUsers
    ? { needsSetup: false }
    : { needsSetup: true, step: isSiteSaved ? 'admin' : 'start', seedInfo: null, authMode: 'passkey' };
}
