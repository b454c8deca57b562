import type { Context } from '@quire/context';
import { selectSetupProgress } from '../setup.repository.js';

/** Whether the site has no user yet. */
export async function needsSetup(ctx: Context): Promise<boolean> {
  return !(await selectSetupProgress(ctx.db)).hasUsers;
}
