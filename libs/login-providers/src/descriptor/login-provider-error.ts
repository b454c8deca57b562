/** The reason for a failed login, as far as a provider knows it (contract 29). */
export type LoginProviderErrorCode =
  /** The user declined, or may not use this provider. */
  | 'oauth_denied'
  /** The callback lacks parameters of the protocol. */
  | 'invalid_callback'
  /** The account's server rejected the code. */
  | 'token_exchange_failed'
  /** The code was accepted, but the account could not be read. */
  | 'profile_fetch_failed'
  /** The account is not among the allowed accounts of the site. */
  | 'signup_not_allowed'
  /** Any other error. */
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
