import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuditTarget } from '../../../audit/index.js';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { lockGrantSubject } from '../../grant-subject.repository.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { grantableScopes, parseScopes } from '../../scopes.policy.js';
import { familyHash, isOtherClient, toTokenResponse, type IssuedTokens } from '../issue-grant.js';
import {
  deleteGrant,
  lockGrant,
  selectGrant,
  updateAccessToken,
  updateRefreshToken,
  type GrantRow,
} from '../oauth-grants.repository.js';
import { generateAccessToken, successorOf } from '../oauth-token-generator.js';
import { revokeGrants } from '../tokens.operations.js';

/** The parameters of a token request with a refresh token (RFC 6749, 6). */
export interface PresentedRefreshToken {
  refreshToken: string;
  clientId?: string | undefined;
  /** Space-separated subset of the granted scopes. */
  scope?: string | undefined;
}

/** Seconds for which a replaced refresh token stays valid. */
const graceSeconds = 60;

/**
 * Replaces the access token and the refresh token of a grant. The old refresh token stays valid for a minute and gives
 * the same successor. A later use means that it was stolen, and revokes the grant. Scopes are limited again to the
 * user's current role and the client (contract 32, mcp-tools).
 * @throws QuireError INVALID_GRANT, also when no scope remains, and when the user is disabled, which revokes all their
 *   grants; INVALID_SCOPE for scopes that were not granted.
 */
export async function refreshOAuthToken(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  presented: PresentedRefreshToken,
): Promise<IssuedTokens> {
  const { tokens, revokedUserId } = await ctx.db.transaction(async (tx) => {
    const outcome = await refresh(tx, presented);
    if (outcome.reused) {
      const details = { reason: 'token-reused' } as const;
      await audit.record(tx, { by: ctx, action: 'grant.ended', ...outcome.reused, details });
    }
    return outcome;
  });
  // Every process caches access tokens.
  if (revokedUserId !== undefined) relay.invalidate('credentials', ctx.principal.tenant.id, revokedUserId);
  if (!tokens) throw new QuireError('INVALID_GRANT', 'The refresh token is unknown, expired or revoked');
  return tokens;
}

/** A rejection may revoke grants and must then be committed, so it is an outcome and not an error. */
interface Outcome {
  tokens?: IssuedTokens;
  /** The user whose valid tokens were revoked or replaced. */
  revokedUserId?: string;
  /** The grant that was revoked because a replaced token was used. */
  reused?: { target: AuditTarget; userId: string };
}

const rejected: Outcome = {};

async function refresh(
  tx: Transaction,
  { refreshToken, clientId, scope }: PresentedRefreshToken,
): Promise<Outcome> {
  const refreshHash = tokenHash(refreshToken);
  const grant = await selectGrant(tx, [familyHash(refreshToken), refreshHash]);
  if (!grant || isOtherClient(grant.clientId, clientId)) return rejected;
  const subject = await lockGrantSubject(tx, grant.userId, grant.clientId);
  if (!subject) {
    await revokeGrants(tx, grant.userId);
    return { revokedUserId: grant.userId };
  }
  const state = await lockGrant(tx, grant.id, { hash: refreshHash, graceSeconds });
  if (!state) return rejected;
  if (!state.isCurrent && !state.isJustReplaced) {
    await deleteGrant(tx, grant.id);
    return {
      revokedUserId: grant.userId,
      reused: { target: { type: 'grant', id: grant.id }, userId: grant.userId },
    };
  }
  const scopes = grantableScopes(requestedScopes(grant, scope), subject);
  if (scopes.length === 0) return rejected;
  const successor = successorOf(refreshToken, state.salt);
  if (state.isCurrent)
    await updateRefreshToken(tx, grant.id, {
      familyHash: familyHash(successor),
      refreshHash: tokenHash(successor),
      previousHash: refreshHash,
    });
  const accessToken = generateAccessToken();
  await updateAccessToken(tx, grant.id, { accessHash: tokenHash(accessToken), scopes });
  return { tokens: toTokenResponse(accessToken, successor, scopes), revokedUserId: grant.userId };
}

/** @throws QuireError INVALID_SCOPE when more is requested than was granted. */
function requestedScopes({ scopes }: GrantRow, requested: string | undefined): string[] {
  if (requested === undefined || requested.trim() === '') return scopes;
  const fewer = parseScopes(requested);
  if (fewer.length === 0 || !fewer.every((scope) => scopes.includes(scope)))
    throw new QuireError('INVALID_SCOPE', 'scope: exceeds the granted scopes');
  return fewer;
}
