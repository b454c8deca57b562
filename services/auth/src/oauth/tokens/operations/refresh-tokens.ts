import type { Context } from '@quire/context';
import type { Sql, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { tokenHash } from '../../../tokens/index.js';
import { lockGrantBasis } from '../../grant-basis.js';
import type { OAuthServices } from '../../oauth-services.js';
import { grantableScopes, knownScopes } from '../../scopes.policy.js';
import { isOtherClient, tokenAnswer, type IssuedTokens } from '../issue-grant.js';
import { accessTokenSeconds, newAccessToken } from '../token-texts.js';
import { endGrantsOf } from './end-grants.js';

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

/**
 * Issues a new access token in place of the old one; the refresh token stays. Scopes are cut anew to what the user's
 * present role and the client allow (contract 32).
 * @throws QuireError INVALID_GRANT, also when the user is disabled, which ends all that he granted, and when no scope is
 * left; INVALID_SCOPE for scopes that were not granted.
 */
export async function refreshTokens(
  ctx: Context,
  { relay }: OAuthServices,
  presented: PresentedRefreshToken,
): Promise<IssuedTokens> {
  const { tokens, ended } = await ctx.db.transaction((tx) => refresh(tx, presented));
  // The old access token ends now, in whatever process it was used last.
  if (ended) relay.drop('credentials', ctx.principal.tenant.id);
  if (!tokens) throw new QuireError('INVALID_GRANT', 'The refresh token is unknown, expired or revoked');
  return tokens;
}

/** A refusal that ends what the user granted must be committed, so it is an outcome and no error. */
interface Outcome {
  tokens?: IssuedTokens;
  /** Whether tokens that were valid are no longer. */
  ended: boolean;
}

const refused: Outcome = { ended: false };

async function refresh(tx: Transaction, presented: PresentedRefreshToken): Promise<Outcome> {
  const grant = await findGrant(tx, presented.refreshToken);
  if (!grant || isOtherClient(grant.clientId, presented.clientId)) return refused;
  const basis = await lockGrantBasis(tx, grant.userId, grant.clientId);
  if (!basis) {
    await endGrantsOf(tx, grant.userId);
    return { ended: true };
  }
  const scopes = grantableScopes(askedScopes(grant, presented.scope), basis);
  if (scopes.length === 0) return refused;
  const accessToken = newAccessToken();
  const renewed = await tx.query(
    `UPDATE oauth_grants SET access_hash = $2, access_scopes = $3, access_expires_at = now() + $4 * interval '1 second'
     WHERE id = $1 RETURNING id`,
    [grant.id, tokenHash(accessToken), scopes, accessTokenSeconds],
  );
  if (renewed.length === 0) return refused;
  return { tokens: tokenAnswer(accessToken, presented.refreshToken, scopes), ended: true };
}

async function findGrant(tx: Sql, refreshToken: string): Promise<Grant | undefined> {
  const [grant] = await tx.query<Grant>(
    `SELECT id, user_id AS "userId", client_id AS "clientId", scopes FROM oauth_grants
     WHERE refresh_hash = $1 AND refresh_expires_at > now()`,
    [tokenHash(refreshToken)],
  );
  return grant;
}

/** @throws QuireError INVALID_SCOPE when more is asked for than was granted. */
function askedScopes({ scopes }: Grant, asked: string | undefined): string[] {
  if (asked === undefined || asked.trim() === '') return scopes;
  const fewer = knownScopes(asked);
  if (fewer.length === 0 || !fewer.every((scope) => scopes.includes(scope)))
    throw new QuireError('INVALID_SCOPE', 'scope: names more than was granted');
  return fewer;
}
