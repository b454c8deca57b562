import type { ErrorCode, QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';
import { pagePaths } from '@quire/ui';

/** Codes of the login page's messages. */
const reasons: Partial<Record<ErrorCode, string>> = {
  MISSING_PARAM: 'missing_token',
  INVALID_TOKEN: 'invalid_link',
  TOKEN_EXPIRED: 'link_expired',
  ACCOUNT_DISABLED: 'user_not_found',
};
/** Errors of the request itself, not of the link. */
const requestErrors: ReadonlySet<ErrorCode> = new Set([
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]);

/**
 * Maps the errors of a link, which the login page shows without a script (contract 28).
 * @returns a redirect to the login page; undefined for errors of the request.
 */
export function mapMagicLinkError({ code }: QuireError): MappedErrorResponse | undefined {
  if (requestErrors.has(code)) return undefined;
  const location = `${pagePaths.login}?error=${reasons[code] ?? 'verification_failed'}`;
  return { status: 303, body: '', headers: { location } };
}
