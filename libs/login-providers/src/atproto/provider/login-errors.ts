import { LoginProviderError } from '../../descriptor/login-provider-error.js';

/**
 * How this provider refuses (contract 29). What a server answered, and whether an address was refused or did not
 * answer, stays in `cause`: the person who typed it learns nothing of the network behind the site.
 */
export const errors = {
  notAName: () =>
    new LoginProviderError('oauth_error', 'Enter a handle such as alice.bsky.social, or a DID.'),
  siteWithoutHttps: () =>
    new LoginProviderError('oauth_error', 'This login works on sites that are reached over https.'),
  unknownHandle: () => new LoginProviderError('oauth_error', 'No account was found for that handle.'),
  serverFailed: (cause: unknown) =>
    new LoginProviderError('oauth_error', 'The server of that account did not answer as expected.', {
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
