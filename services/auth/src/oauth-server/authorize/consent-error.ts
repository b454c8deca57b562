import { QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';
import { buildRedirectUri } from '../clients/redirect-uri.policy.js';
import type { AuthorizationRequest } from './operations/parse-authorization-request.js';

/** A failure to process a decision, with the redirect URI for the error response. */
class ConsentError extends Error {
  constructor(
    readonly location: string,
    cause: unknown,
  ) {
    super('The consent decision could not be processed', { cause });
    this.name = 'ConsentError';
  }
}

/** Maps a server error of a decision to one that is redirected to the application; returns other errors unchanged. */
export function toConsentError(error: unknown, { redirectUri, state, iss }: AuthorizationRequest): unknown {
  if (error instanceof QuireError && error.status < 500) return error;
  const location = buildRedirectUri(redirectUri, { error: 'server_error', state, iss });
  return new QuireError('INTERNAL_ERROR', 'The consent decision could not be processed', {
    cause: new ConsentError(location, error),
  });
}

/** Redirects a `ConsentError` to the application (RFC 6749, 4.1.2.1); other errors are shown to the user. */
export function respondToApplication({ cause }: QuireError): MappedErrorResponse | undefined {
  if (!(cause instanceof ConsentError)) return undefined;
  return {
    status: 302,
    body: '',
    headers: { location: cause.location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
}
