import { isStorableText } from '@quire/values';
import { LoginProviderError, type ProviderIdentity } from '@quire/login-providers';
import { normaliseEmail } from '../../users/index.js';

const maxAccountIdLength = 500;
const maxNameLength = 200;

/** The account at the provider, normalised for comparison and storage. */
export interface ExternalProfile {
  accountId: string;
  email: { address: string; isVerified: boolean } | null;
  name: string | null;
}

/**
 * Normalises an identity of a provider.
 * @throws LoginProviderError profile_fetch_failed for an invalid account id or e-mail address.
 */
export function toExternalProfile({ accountId, email, name }: ProviderIdentity): ExternalProfile {
  if (accountId === '' || accountId.length > maxAccountIdLength || !isStorableText(accountId))
    throw invalidProfileError();
  const shown = Array.from(name?.trim() ?? '')
    .slice(0, maxNameLength)
    .join('')
    .trim();
  return {
    accountId,
    email: email && { address: toAddress(email.address), isVerified: email.isVerified },
    name: shown !== '' && isStorableText(shown) ? shown : null,
  };
}

function toAddress(text: string): string {
  try {
    return normaliseEmail(text);
  } catch (cause) {
    throw invalidProfileError(cause);
  }
}

function invalidProfileError(cause?: unknown): LoginProviderError {
  return new LoginProviderError('profile_fetch_failed', 'The provider returned no usable account', {
    cause,
  });
}
