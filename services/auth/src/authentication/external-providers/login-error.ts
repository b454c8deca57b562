import { QuireError } from '@quire/errors';
import type { LoginProviderErrorCode } from '@quire/login-providers';
import type { MappedErrorResponse } from '@quire/operation';
import { pagePaths } from '@quire/ui';

/** Reasons why a login with an external provider fails (contract 29). */
export type LoginErrorCode =
  | LoginProviderErrorCode
  | 'invalid_provider'
  | 'provider_not_configured'
  | 'invalid_state'
  | 'invite_invalid'
  | 'invite_email_mismatch'
  | 'invite_email_unverified'
  | 'user_not_found';

const maxMessageLength = 300;

/** A failed login. The redirect to the login page carries reason and message. */
export class LoginError extends QuireError {
  constructor(
    readonly reason: LoginErrorCode,
    message: string,
    extra: { cause?: unknown } = {},
  ) {
    super('ACCESS_DENIED', message, extra);
  }
}

/** Redirects to the login page with the error. Internal errors are reported in general terms. */
export function redirectToLoginWithError(error: QuireError): MappedErrorResponse {
  const { reason, message } =
    error instanceof LoginError
      ? error
      : { reason: 'oauth_error', message: 'Signing in is currently unavailable; try again later' };
  const query = new URLSearchParams({ error: reason, message: message.slice(0, maxMessageLength) });
  return { status: 302, body: '', headers: { location: `${pagePaths.login}?${query.toString()}` } };
}
