import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { ulid } from '@quire/values';
import type { AuditLog } from '../../audit/index.js';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import { deleteExpiredGrants, insertGrant } from './oauth-grants.repository.js';
import {
  accessTokenSeconds,
  familyOf,
  generateAccessToken,
  generateRefreshToken,
} from './oauth-token-generator.js';

/** Response of the token endpoint (RFC 6749, 5.1). */
export interface IssuedTokens {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
}

/** A grant to insert. */
export interface NewGrant {
  userId: string;
  clientId: string | null;
  /** Already limited to the user's role and the client. */
  scopes: readonly string[];
  /** SHA-256 of the authorization code; null in the device flow. */
  codeHash: string | null;
}

/**
 * Inserts a grant, issues its tokens and records it in the audit log. Only hashes of the tokens are stored. Deletes
 * up to 100 expired grants.
 */
export async function issueGrant(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  grant: NewGrant,
): Promise<IssuedTokens> {
  const [accessToken, refreshToken] = [generateAccessToken(), generateRefreshToken()];
  const id = ulid();
  const { userId, clientId, scopes, codeHash } = grant;
  await insertGrant(tx, {
    id,
    clientId,
    userId,
    scopes,
    codeHash,
    familyHash: familyHash(refreshToken),
    refreshHash: tokenHash(refreshToken),
    accessHash: tokenHash(accessToken),
  });
  await deleteExpiredGrants(tx);
  await audit.record(tx, {
    by: ctx,
    actorId: userId,
    action: 'grant.made',
    target: { type: 'grant', id },
    userId,
    details: { clientId, scopes: [...scopes], by: codeHash === null ? 'device' : 'code' },
  });
  return toTokenResponse(accessToken, refreshToken, scopes);
}

/** @returns the response of the token endpoint (RFC 6749, 5.1). */
export function toTokenResponse(
  accessToken: string,
  refreshToken: string,
  scopes: readonly string[],
): IssuedTokens {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    scope: scopes.join(' '),
  };
}

/** @returns the hash by which the grant of a current or replaced refresh token is found; null for other texts. */
export function familyHash(refreshToken: string): string | null {
  const family = familyOf(refreshToken);
  return family === undefined ? null : tokenHash(family);
}

/** Whether a request names another client than the one that a code or token was issued to. */
export function isOtherClient(issuedTo: string | null, presentedBy: string | undefined): boolean {
  return issuedTo !== null && presentedBy !== undefined && presentedBy !== issuedTo;
}
