import { QuireError } from '@quire/errors';
import type { LoginProviderErrorCode } from '@quire/login-providers';
import type { Refusal } from '@quire/operation';

/** Why somebody does not get in with a provider (contract 29). */
export type LoginRefusalCode =
  | LoginProviderErrorCode
  | 'invalid_provider'
  | 'provider_not_configured'
  | 'invalid_state'
  | 'invite_invalid'
  | 'invite_email_mismatch'
  | 'invite_email_unverified'
  | 'user_not_found';

const loginPage = '/_cms/admin/login';
const longestMessage = 300;

/** A login that comes to nothing. The message is shown on the login page. */
export class LoginRefused extends QuireError {
  constructor(
    readonly reason: LoginRefusalCode,
    message: string,
    extra: { cause?: unknown } = {},
  ) {
    super('ACCESS_DENIED', message, extra);
  }
}

/** The browser learns on the login page what went wrong. What went wrong with us it learns in general words. */
export function backToLogin(error: QuireError): Refusal {
  const { reason, message } =
    error instanceof LoginRefused
      ? error
      : { reason: 'oauth_error', message: 'Signing in does not work now; try again later' };
  const query = new URLSearchParams({ error: reason, message: message.slice(0, longestMessage) });
  return { status: 302, body: '', headers: { location: `${loginPage}?${query.toString()}` } };
}
