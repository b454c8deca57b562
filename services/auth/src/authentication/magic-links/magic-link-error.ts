import type { ErrorCode, QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';
import { pagePaths } from '@quire/ui';

const reasons: Partial<Record<ErrorCode, string>> = {
  MISSING_PARAM: 'missing_token',
  INVALID_TOKEN: 'invalid_link',
  TOKEN_EXPIRED: 'link_expired',
  ACCOUNT_DISABLED: 'user_not_found',
};
/** Errors of the request itself, not of the link. */
const otherwise: ReadonlySet<ErrorCode> = new Set([
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]);

/** Redirects errors of a link to the login page, which shows them without a script (contract 28). */
export function mapMagicLinkError({ code }: QuireError): MappedErrorResponse | undefined {
  if (otherwise.has(code)) return undefined;
  const location = `${pagePaths.login}?error=${reasons[code] ?? 'verification_failed'}`;
  return { status: 303, body: '', headers: { location } };
}
