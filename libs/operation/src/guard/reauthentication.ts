import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { Reauthentication } from '../declare/declaration.js';

const recentMinutes = 10;

/**
 * Checks the requirement of an operation for recent authentication (decision 58).
 * @throws QuireError FORBIDDEN for tokens, REAUTHENTICATION_REQUIRED for sessions
 */
export function assertReauthentication(required: Reauthentication, principal: Principal): void {
  const { kind, tokenKind } = principal;
  if (kind === 'system') return;
  if (kind === 'session') return assertRecentAuthentication(principal);
  if (required === 'recent-session') throw forbidden('This operation requires a session, not a token');
  if (tokenKind !== 'personal')
    throw forbidden('This operation requires a session or a personal access token');
}

/**
 * Accepts a session whose user signed in or used a passkey in the last ten minutes.
 * @throws QuireError REAUTHENTICATION_REQUIRED
 */
export function assertRecentAuthentication({ authenticatedAt }: Principal): void {
  const oldest = Date.now() - recentMinutes * 60_000;
  if (authenticatedAt !== undefined && Date.parse(authenticatedAt) >= oldest) return;
  throw new QuireError(
    'REAUTHENTICATION_REQUIRED',
    `Use a passkey or sign in again: this needs a sign-in of the last ${recentMinutes} minutes`,
  );
}

function forbidden(message: string): QuireError {
  return new QuireError('FORBIDDEN', message);
}
