import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuditTarget } from '../../../audit/index.js';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { lockGrantSubject } from '../../grant-subject.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { grantableScopes, parseScopes } from '../../scopes.policy.js';
import { familyHash, isOtherClient, toTokenResponse, type IssuedTokens } from '../issue-grant.js';
import {
  accessTokenSeconds,
  grantDays,
  generateAccessToken,
  refreshTokenDays,
  successorOf,
} from '../oauth-token-generator.js';
import { revokeGrants } from './revoke-grants.js';

export interface PresentedRefreshToken {
  refreshToken: string;
  clientId?: string | undefined;
  /** Space-separated: fewer scopes than were granted. */
  scope?: string | undefined;
}

interface Grant {
  id: string;
  userId: string;
  clientId: string | null;
  scopes: string[];
}

/** What a grant knows of the refresh token that is presented for it. */
interface Presented {
  isCurrent: boolean;
  /** It was replaced a moment ago: the client may have missed the answer. */
  isJustReplaced: boolean;
  salt: string;
}

/** How long a refresh token that was replaced is good for yet, in seconds. */
const graceSeconds = 60;

/**
 * Issues a new access token in place of the old one, and a new refresh token in place of the presented one, which is
 * good for a minute more and gives the same successor. One that is used later than that has come into other hands, so
 * it ends the grant. Scopes are cut anew to what the user's present role and the client allow (contract 32, mcp-tools).
 * @throws QuireError INVALID_GRANT, also when the user is disabled, which ends all that they granted, and when no scope
 * is left; INVALID_SCOPE for scopes that were not granted.
 */
export async function refreshOAuthToken(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  presented: PresentedRefreshToken,
): Promise<IssuedTokens> {
  const { tokens, ended } = await ctx.db.transaction(async (tx) => {
    const outcome = await refresh(tx, presented);
    if (outcome.reused) {
      const details = { reason: 'token-reused' } as const;
      await audit.record(tx, { by: ctx, action: 'grant.ended', ...outcome.reused, details });
    }
    return outcome;
  });
  // The old access token ends now, in whatever process it was used last.
  if (ended) relay.invalidate('credentials', ctx.principal.tenant.id);
  if (!tokens) throw new QuireError('INVALID_GRANT', 'The refresh token is unknown, expired or revoked');
  return tokens;
}

/** A refusal that ends what the user granted must be committed, so it is an outcome and no error. */
interface Outcome {
  tokens?: IssuedTokens;
  /** Whether tokens that were valid are no longer. */
  ended: boolean;
  /** The grant that was ended because its token was used again. */
  reused?: { target: AuditTarget; userId: string };
}

const rejected: Outcome = { ended: false };

async function refresh(
  tx: Transaction,
  { refreshToken, clientId, scope }: PresentedRefreshToken,
): Promise<Outcome> {
  const grant = await findGrant(tx, refreshToken);
  if (!grant || isOtherClient(grant.clientId, clientId)) return rejected;
  const subject = await lockGrantSubject(tx, grant.userId, grant.clientId);
  if (!subject) {
    await revokeGrants(tx, grant.userId);
    return { ended: true };
  }
  const presented = await lockGrant(tx, grant.id, refreshToken);
  if (!presented) return rejected;
  if (!presented.isCurrent && !presented.isJustReplaced) return revokeReusedGrant(tx, grant);
  const scopes = grantableScopes(requestedScopes(grant, scope), subject);
  if (scopes.length === 0) return rejected;
  const successor = successorOf(refreshToken, presented.salt);
  if (presented.isCurrent) await replace(tx, grant.id, refreshToken, successor);
  const accessToken = generateAccessToken();
  await tx.query(
    `UPDATE oauth_grants SET access_hash = $2, access_scopes = $3, access_expires_at = now() + $4 * interval '1 second'
     WHERE id = $1`,
    [grant.id, tokenHash(accessToken), scopes, accessTokenSeconds],
  );
  return { tokens: toTokenResponse(accessToken, successor, scopes), ended: true };
}

async function findGrant(tx: Queryable, refreshToken: string): Promise<Grant | undefined> {
  const [grant] = await tx.query<Grant>(
    `SELECT id, user_id AS "userId", client_id AS "clientId", scopes FROM oauth_grants
     WHERE family_hash IN ($1, $2) AND refresh_expires_at > now() AND created_at > now() - $3 * interval '1 day'`,
    [familyHash(refreshToken), tokenHash(refreshToken), grantDays],
  );
  return grant;
}

/** Holds a grant until the transaction ends. @returns undefined when it is gone */
async function lockGrant(tx: Queryable, id: string, refreshToken: string): Promise<Presented | undefined> {
  const [presented] = await tx.query<Presented>(
    `SELECT refresh_hash = $2 AS "isCurrent", refresh_salt AS salt,
       coalesce(previous_hash = $2 AND refreshed_at > now() - $3 * interval '1 second', false) AS "isJustReplaced"
     FROM oauth_grants WHERE id = $1 FOR UPDATE`,
    [id, tokenHash(refreshToken), graceSeconds],
  );
  return presented;
}

async function replace(tx: Queryable, id: string, refreshToken: string, successor: string): Promise<void> {
  await tx.query(
    `UPDATE oauth_grants SET family_hash = $2, refresh_hash = $3, previous_hash = $4, refreshed_at = now(),
       refresh_expires_at = least(now() + $5 * interval '1 day', created_at + $6 * interval '1 day') WHERE id = $1`,
    [id, familyHash(successor), tokenHash(successor), tokenHash(refreshToken), refreshTokenDays, grantDays],
  );
}

async function revokeReusedGrant(tx: Queryable, { id, userId }: Grant): Promise<Outcome> {
  await tx.query('DELETE FROM oauth_grants WHERE id = $1', [id]);
  return { ended: true, reused: { target: { type: 'grant', id }, userId } };
}

/** @throws QuireError INVALID_SCOPE when more is asked for than was granted. */
function requestedScopes({ scopes }: Grant, requested: string | undefined): string[] {
  if (requested === undefined || requested.trim() === '') return scopes;
  const fewer = parseScopes(requested);
  if (fewer.length === 0 || !fewer.every((scope) => scopes.includes(scope)))
    throw new QuireError('INVALID_SCOPE', 'scope: exceeds the granted scopes');
  return fewer;
}
