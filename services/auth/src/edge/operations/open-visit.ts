import type { Context } from '@quire/context';
import { signIn, trimSessions } from '../../sessions/index.js';
import { asVisitor, type EdgeServices } from '../edge-services.js';

/** A browser that keeps no cookies would leave a session behind at every visit. */
const keptSessions = 20;

/**
 * Opens a session of somebody whom the edge access proxy vouches for, so that pages outside its protection know who it is
 * (spec document 1, Sessions).
 * @returns the text of the session's cookie.
 * @throws QuireError ACCOUNT_DISABLED.
 */
export async function openVisit(
  ctx: Context,
  { audit }: EdgeServices,
  { userId, userAgent }: { userId: string; userAgent: string | undefined },
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const how = { userId, method: 'edge-access', userAgent } as const;
    const session = await signIn(tx, { ctx: asVisitor(ctx), audit }, how);
    await trimSessions(tx, userId, keptSessions);
    return session;
  });
}
