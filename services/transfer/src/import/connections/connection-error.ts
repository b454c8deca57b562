import { QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';
import { importPanelPath } from './connection-paths.js';

/** Reasons why a site is not connected. */
export type ConnectionErrorCode =
  /** LEGACY_COM_CLIENT_ID or LEGACY_COM_CLIENT_SECRET is not set. */
  | 'not_configured'
  /** The user denied access. */
  | 'oauth_denied'
  /** The provider reported another error, or the connection failed within Quire. */
  | 'oauth_error'
  /** The address of the callback is incomplete. */
  | 'invalid_callback'
  /** `state` is unknown, used or expired, or of another user or site. */
  | 'invalid_state'
  /** The provider did not accept the code, or returned no access token. */
  | 'token_exchange_failed'
  /** The provider did not respond in time. */
  | 'provider_timeout'
  /** The provider is not reachable, or responded with a server error. */
  | 'provider_unavailable';

/** A failed connection. The redirect to the import panel carries code and message. */
export class ConnectionError extends QuireError {
  constructor(
    readonly reason: ConnectionErrorCode,
    message: string,
    extra: { cause?: unknown } = {},
  ) {
    super('ACCESS_DENIED', message, extra);
  }
}

/**
 * Redirects to the import panel with the error. Internal errors are reported in general terms; callers without the
 * permission get the ordinary response.
 */
export function redirectToPanelWithError(error: QuireError): MappedErrorResponse | undefined {
  const failure = error instanceof ConnectionError ? error : internalFailure(error);
  if (!failure) return undefined;
  const location = importPanelPath({ error: failure.reason, message: failure.message });
  return { status: 302, body: '', headers: { location } };
}

function internalFailure({ status }: QuireError): ConnectionError | undefined {
  if (status < 500) return undefined;
  return new ConnectionError('oauth_error', 'Connecting the site is currently unavailable; try again later');
}
