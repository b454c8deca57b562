/** Why a login did not succeed, as far as a provider knows (contract 29). */
export type LoginProviderErrorCode =
  /** The person said no, or may not use this provider. */
  | 'oauth_denied'
  /** The callback lacks what the protocol prescribes. */
  | 'invalid_callback'
  /** The account's server did not take the code. */
  | 'token_exchange_failed'
  /** The code was taken, and whose account it is could not be learnt. */
  | 'profile_fetch_failed'
  /** The account is none of those that the site lets in. */
  | 'signup_not_allowed'
  /** Anything else. */
  | 'oauth_error';

/**
 * A login that a provider rejects. The message is shown to the user and is part of an address: one plain sentence
 * without codes, tokens or e-mail addresses. `cause` is never shown.
 */
export class LoginProviderError extends Error {
  override name = 'LoginProviderError';

  constructor(
    readonly code: LoginProviderErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
