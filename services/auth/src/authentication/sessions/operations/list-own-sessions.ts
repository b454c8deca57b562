import type { Context } from '@quire/context';

/** An open session, as its user sees it. */
export interface OwnSession {
  id: string;
  userAgent: string | null;
  clientAddress: string | null;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  /** Whether it is the one that asks. */
  isCurrent: boolean;
}

/** The caller's open sessions, last used first. */
export async function listOwnSessions(ctx: Context): Promise<OwnSession[]> {
  return ctx.db.query<OwnSession>(
    `SELECT id, user_agent AS "userAgent", client_address AS "clientAddress", created_at AS "createdAt",
       last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", id IS NOT DISTINCT FROM $2 AS "isCurrent"
     FROM sessions WHERE user_id = $1 AND expires_at > now() ORDER BY last_seen_at DESC, id DESC`,
    [ctx.principal.userId, ctx.principal.sessionId ?? null],
  );
}
