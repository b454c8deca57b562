import { LoginProviderError } from '../../descriptor/login-provider-error.js';

/**
 * The errors of this provider (contract 29). The server's response and the difference between a rejected address and an
 * unreachable one are only in `cause`: the user learns nothing of the network behind the site.
 */
export const errors = {
  notAName: () =>
    new LoginProviderError('oauth_error', 'Enter a handle such as alice.bsky.social, or a DID.'),
  siteWithoutHttps: () =>
    new LoginProviderError('oauth_error', 'This login works on sites that are reached over https.'),
  unknownHandle: () => new LoginProviderError('oauth_error', 'No account was found for that handle.'),
  serverFailed: (cause: unknown) =>
    new LoginProviderError('oauth_error', 'The server of that account responded unexpectedly.', {
      cause,
    }),
  notAllowed: () => new LoginProviderError('signup_not_allowed', 'That account may not sign in here.'),
  notRedeemed: (cause: unknown) =>
    new LoginProviderError('token_exchange_failed', 'The server of that account did not confirm the login.', {
      cause,
    }),
  anotherAccount: (cause?: unknown) =>
    new LoginProviderError('profile_fetch_failed', 'Whose account it is could not be confirmed.', { cause }),
};
