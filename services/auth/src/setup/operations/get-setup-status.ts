import type { Context } from '@quire/context';
import { setupProgress } from '../setup.repository.js';

/** What a new site could begin with (contract 26). */
export interface SeedInfo {
  name: string;
  description: string;
  collections: number;
  hasContent: boolean;
}

export type SetupStatus =
  | { needsSetup: false }
  | { needsSetup: true; step: 'start' | 'admin'; seedInfo: SeedInfo | null; authMode: string };

/** Whether the site has its first user, and what is next if not (contract 26). Sites are set up without a seed. */
export async function getSetupStatus(ctx: Context): Promise<SetupStatus> {
  const { hasUsers, isSiteSaved } = await setupProgress(ctx.db);
  return hasUsers
    ? { needsSetup: false }
    : { needsSetup: true, step: isSiteSaved ? 'admin' : 'start', seedInfo: null, authMode: 'passkey' };
}
