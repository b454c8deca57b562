import { gatewayIssuer } from '@quire/context';
import { QuireError } from '@quire/errors';
import { InternalApiClient, type ServiceUpstream } from '@quire/service-client';

/** Creates the gateway's client of the auth service. A failed call throws a 502, 503 or 504. */
export function createAuthClient(auth: ServiceUpstream): InternalApiClient {
  return new InternalApiClient({ upstream: () => auth, caller: gatewayIssuer, mapError: toCredentialsError });
}

/**
 * A failure of auth does not reject the credential, so the client gets no 401. An unreachable service gives the same
 * error as for a forwarded request: 502, 503 or 504.
 */
function toCredentialsError(error: Error): QuireError {
  if (error.cause instanceof QuireError) return error.cause;
  return new QuireError(
    'SERVICE_UNAVAILABLE',
    'Credentials cannot be verified: the auth service is unavailable; retry later',
    { retryAfterSeconds: 2, cause: error },
  );
}
