import type { Context } from '@quire/context';
import { signIn, trimSessions } from '../../sessions/index.js';
import { asAnonymous, type EdgeAccessDeps } from '../edge-deps.js';

/** A browser that keeps no cookies would leave a session behind at every visit. */
const maxSessions = 20;

/**
 * Opens a session of somebody whom the edge access proxy vouches for, so that pages outside its protection know who it
 * is (spec document 1, Sessions).
 * @returns the text of the session's cookie.
 * @throws QuireError ACCOUNT_DISABLED.
 */
export async function openEdgeSession(
  ctx: Context,
  { audit }: EdgeAccessDeps,
  { userId, userAgent }: { userId: string; userAgent: string | undefined },
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const how = { userId, method: 'edge-access', userAgent } as const;
    const session = await signIn(tx, { ctx: asAnonymous(ctx), audit }, how);
    await trimSessions(tx, userId, maxSessions);
    return session;
  });
}
