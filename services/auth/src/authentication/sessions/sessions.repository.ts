import { columnsOf, orWhenReadOnly, type Queryable, type Row } from '@quire/database';
import type { authApi } from '@quire/internal-api';
import { ulid } from '@quire/values';
import { User } from '../../users/index.js';
import { Session } from './session.entity.js';
import { idleDays, maxSessionDays } from './session-cookie.js';

const pruneBatchSize = 100;

/** The signed-in user. */
export type Me = Pick<Row<User>, 'id' | 'email' | 'name' | 'role' | 'avatarUrl'> & {
  /** True until the welcome is dismissed. */
  isFirstLogin: boolean;
};

const meColumns = columnsOf(User, { only: ['id', 'email', 'name', 'role', 'avatarUrl'] });

/** An open session, as its user sees it. */
export type OwnSession = Omit<Row<Session>, 'tokenHash' | 'userId' | 'authenticatedAt'> & {
  /** Whether the request comes with this session. */
  isCurrent: boolean;
};

const ownColumns = columnsOf(Session, { except: ['tokenHash', 'userId', 'authenticatedAt'] });

/** @returns the signed-in user; undefined when they are deleted. */
export async function selectMe(sql: Queryable, userId: string | null): Promise<Me | undefined> {
  const [me] = await sql.query<Me>(
    `SELECT ${meColumns}, NOT welcomed AS "isFirstLogin" FROM users WHERE id = $1`,
    [userId],
  );
  return me;
}

/** Stores that a user has dismissed the welcome. */
export async function updateWelcomed(sql: Queryable, userId: string | null): Promise<void> {
  await sql.query('UPDATE users SET welcomed = true WHERE id = $1', [userId]);
}

/** Stores the time of a login. @returns whether the user is disabled; undefined when there is no such user. */
export async function updateLastLogin(
  tx: Queryable,
  userId: string,
): Promise<{ disabled: boolean } | undefined> {
  const [user] = await tx.query<{ disabled: boolean }>(
    'UPDATE users SET last_login = now() WHERE id = $1 RETURNING disabled',
    [userId],
  );
  return user;
}

const extendedExpiry = "least(now() + $2 * interval '1 day', created_at + $3 * interval '1 day')";

const foundSession = `found AS (
      SELECT s.id, s.user_id, u.role, u.disabled, s.authenticated_at, s.expires_at, s.last_seen_at
      FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > now()
    )`;
const verifiedSession = `SELECT id AS "sessionId", user_id AS "userId", role, disabled,
      authenticated_at AS "authenticatedAt", expires_at AS "expiresAt" FROM found`;

/**
 * Selects the session and stores its use, at most once a minute. The expiry is indexed and moves by an hour or more,
 * because PostgreSQL writes all indexes of a row whose indexed column changes. Deletes expired sessions and those of
 * disabled users. One statement, because it runs for every request whose session the gateway has not cached.
 */
const verificationStatement = {
  prepared: true,
  text: `
    WITH ${foundSession}, ended AS (
      DELETE FROM sessions WHERE token_hash = $1 AND (expires_at <= now() OR id IN (SELECT id FROM found WHERE disabled))
    ), used AS (
      UPDATE sessions SET last_seen_at = now(), expires_at = CASE
        WHEN expires_at BETWEEN ${extendedExpiry} - interval '1 hour' AND ${extendedExpiry} THEN expires_at
        ELSE ${extendedExpiry} END
      WHERE id IN (SELECT id FROM found WHERE NOT disabled AND last_seen_at < now() - interval '1 minute')
    )
    ${verifiedSession}`,
};

/**
 * The use of a session is not stored while its site is read-only.
 * @returns the open session with this token hash, also of a disabled user; undefined when there is none.
 */
export async function selectVerifiedSession(
  sql: Queryable,
  tokenHash: string,
): Promise<authApi.VerifiedSession | undefined> {
  const verify = sql.query<authApi.VerifiedSession>({
    ...verificationStatement,
    values: [tokenHash, idleDays, maxSessionDays],
  });
  const [found] = await orWhenReadOnly(verify, () =>
    sql.query<authApi.VerifiedSession>(`WITH ${foundSession} ${verifiedSession}`, [tokenHash]),
  );
  return found;
}

/** @returns the open sessions of a user, last used first. */
export function selectOwnSessions(
  sql: Queryable,
  { userId, currentId }: { userId: string | null; currentId: string | null },
): Promise<OwnSession[]> {
  return sql.query<OwnSession>(
    `SELECT ${ownColumns}, id IS NOT DISTINCT FROM $2 AS "isCurrent"
     FROM sessions WHERE user_id = $1 AND expires_at > now() ORDER BY last_seen_at DESC, id DESC`,
    [userId, currentId],
  );
}

/** Inserts a session, and deletes up to `pruneBatchSize` expired ones. */
export async function insertSession(
  tx: Queryable,
  session: Pick<Row<Session>, 'tokenHash' | 'userId' | 'userAgent' | 'clientAddress'>,
): Promise<void> {
  const { tokenHash, userId, userAgent, clientAddress } = session;
  await tx.query(
    `WITH over AS (
       DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at < now() LIMIT $7 FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO sessions (id, token_hash, user_id, user_agent, client_address, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 day')`,
    [ulid(), tokenHash, userId, userAgent, clientAddress, idleDays, pruneBatchSize],
  );
}

/**
 * Stores the browser of a sign-in.
 * @returns whether the user has signed in before, but not with this browser.
 */
export async function insertUserBrowser(tx: Queryable, userId: string, name: string): Promise<boolean> {
  const [remembered] = await tx.query<{ isFurther: boolean }>(
    `INSERT INTO user_browsers (user_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
     RETURNING EXISTS (SELECT FROM user_browsers WHERE user_id = $1) AS "isFurther"`,
    [userId, name],
  );
  return remembered?.isFurther ?? false;
}

/**
 * Stores that the user of a session has just authenticated. The session gets another token, because gateways cache
 * the time by token.
 * @returns false when the session has expired.
 */
export async function renewSession(
  tx: Queryable,
  session: { id: string; userId: string; tokenHash: string },
): Promise<boolean> {
  const renewed = await tx.query(
    `UPDATE sessions SET authenticated_at = now(), token_hash = $3
     WHERE id = $1 AND user_id = $2 AND expires_at > now() RETURNING id`,
    [session.id, session.userId, session.tokenHash],
  );
  return renewed.length > 0;
}

/** Deletes a session of a user. @returns whether there was one. */
export async function deleteSession(tx: Queryable, id: string, userId: string | null): Promise<boolean> {
  const deleted = await tx.query('DELETE FROM sessions WHERE id = $1 AND user_id = $2 RETURNING id', [
    id,
    userId,
  ]);
  return deleted.length > 0;
}

/**
 * Deletes all sessions of a user except one. The caller invalidates the cached credentials of the tenant after the
 * commit.
 * @param exceptSessionId the session that remains: the caller's own
 */
export async function revokeSessions(tx: Queryable, userId: string, exceptSessionId?: string): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    userId,
    exceptSessionId ?? null,
  ]);
}

/** Deletes the expired sessions of a user, and those beyond the `maxSessions` last used ones. */
export async function trimSessions(tx: Queryable, userId: string, maxSessions: number): Promise<void> {
  await tx.query(
    `DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= now() OR id IN (
       SELECT id FROM sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC OFFSET $2))`,
    [userId, maxSessions],
  );
}
