import { isStorableText } from '@quire/content-model';
import { LoginProviderError, type ProviderIdentity } from '@quire/login-providers';
import { normalisedEmail } from '../users/index.js';

const longestAccountId = 500;
const longestName = 200;

/** Whose account it is, in the form in which we compare and store such things. */
export interface Person {
  accountId: string;
  email: { address: string; isVerified: boolean } | null;
  name: string | null;
}

/** @throws LoginProviderError profile_fetch_failed for an account without a usable id, or with an address that is none. */
export function personOf({ accountId, email, name }: ProviderIdentity): Person {
  if (accountId === '' || accountId.length > longestAccountId || !isStorableText(accountId)) throw unusable();
  const shown = name?.trim().slice(0, longestName) ?? '';
  return {
    accountId,
    email: email && { address: addressOf(email.address), isVerified: email.isVerified },
    name: shown !== '' && isStorableText(shown) ? shown : null,
  };
}

function addressOf(text: string): string {
  try {
    return normalisedEmail(text);
  } catch (cause) {
    throw unusable(cause);
  }
}

function unusable(cause?: unknown): LoginProviderError {
  return new LoginProviderError('profile_fetch_failed', 'The provider did not say whose account it is', {
    cause,
  });
}
