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
 * @throws LoginProviderError profile_fetch_failed for an account without a usable id, or with an address that is none.
 */
export function toExternalProfile({ accountId, email, name }: ProviderIdentity): ExternalProfile {
  if (accountId === '' || accountId.length > maxAccountIdLength || !isStorableText(accountId))
    throw unusable();
  const shown = name?.trim().slice(0, maxNameLength) ?? '';
  return {
    accountId,
    email: email && { address: addressOf(email.address), isVerified: email.isVerified },
    name: shown !== '' && isStorableText(shown) ? shown : null,
  };
}

function addressOf(text: string): string {
  try {
    return normaliseEmail(text);
  } catch (cause) {
    throw unusable(cause);
  }
}

function unusable(cause?: unknown): LoginProviderError {
  return new LoginProviderError('profile_fetch_failed', 'The provider returned no usable account', {
    cause,
  });
}
