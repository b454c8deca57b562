import { QuireError } from '@quire/errors';
import type { Refusal } from '@quire/operation';
import { redirectTo } from '../clients/redirect-uri.policy.js';
import type { AuthorizationRequest } from './operations/read-request.js';

/** What went wrong while a decision was carried out, and where its application is to learn that. */
class FailedDecision extends Error {
  constructor(
    readonly location: string,
    cause: unknown,
  ) {
    super('A decision could not be carried out', { cause });
    this.name = 'FailedDecision';
  }
}

/** The failure of a decision; what is not ours to answer for stays as it is. */
export function failedDecision(error: unknown, { redirectUri, state }: AuthorizationRequest): unknown {
  if (error instanceof QuireError && error.status < 500) return error;
  const location = redirectTo(redirectUri, { error: 'server_error', state });
  return new QuireError('INTERNAL_ERROR', 'The decision could not be carried out', {
    cause: new FailedDecision(location, error),
  });
}

/** Tells the application of a failed decision (RFC 6749, 4.1.2.1); all else is told to the user. */
export function tellApplication({ cause }: QuireError): Refusal | undefined {
  if (!(cause instanceof FailedDecision)) return undefined;
  return {
    status: 302,
    body: '',
    headers: { location: cause.location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
}
