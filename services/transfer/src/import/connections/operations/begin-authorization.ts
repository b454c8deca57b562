import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Match } from '@quire/import-sources';
import { connectedSource, redirectUriOf } from '../connection-paths.js';
import { userOf } from '../connections.operations.js';
import { insertAuthorizationRequest } from '../connections.repository.js';

const randomByteCount = 32;

/**
 * Begins an authorization request for a match that suggests one, and adds it to the address of the authorization
 * endpoint: `redirect_uri`, `state` (RFC 6749, 4.1.1), and the challenge of PKCE (RFC 7636), which providers without
 * PKCE ignore. The request is of the calling user and valid once within 10 minutes.
 * @param siteUrl address of the site
 * @returns another match unchanged
 */
export async function beginAuthorization(ctx: Context, match: Match, siteUrl: string): Promise<Match> {
  const { sourceId, auth, suggestedAction: action } = match;
  // The address that another source suggests is its own.
  if (sourceId !== connectedSource || auth?.oauthUrl === undefined || action.type !== 'oauth') return match;
  const state = randomText();
  const codeVerifier = randomText();
  const redirectUri = redirectUriOf(ctx.origin ?? '');
  await insertAuthorizationRequest(ctx.db, {
    stateHash: hashOfState(state),
    userId: userOf(ctx),
    siteUrl,
    redirectUri,
    codeVerifier,
  });
  const url = new URL(auth.oauthUrl);
  url.searchParams.set('redirect_uri', redirectUri);
  url.searchParams.set('state', state);
  url.searchParams.set('code_challenge', createHash('sha256').update(codeVerifier).digest('base64url'));
  url.searchParams.set('code_challenge_method', 'S256');
  return {
    ...match,
    auth: { ...auth, oauthUrl: url.href },
    suggestedAction: { ...action, url: url.href },
  };
}

/** @returns the SHA-256 by which the request of a `state` is stored */
export function hashOfState(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

const randomText = () => randomBytes(randomByteCount).toString('base64url');
