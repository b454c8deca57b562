import type { ErrorCode, QuireError } from '@quire/errors';
import type { MappedErrorResponse } from '@quire/operation';

const login = '/_cms/admin/login';
const reasons: Partial<Record<ErrorCode, string>> = {
  MISSING_PARAM: 'missing_token',
  INVALID_TOKEN: 'invalid_link',
  TOKEN_EXPIRED: 'link_expired',
  ACCOUNT_DISABLED: 'user_not_found',
};
/** What is wrong with the request itself, and not with the link. */
const otherwise: ReadonlySet<ErrorCode> = new Set([
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]);

/** Somebody with a browser and no script learns on the login page what went wrong (contract 28). */
export function mapMagicLinkError({ code }: QuireError): MappedErrorResponse | undefined {
  if (otherwise.has(code)) return undefined;
  const location = `${login}?error=${reasons[code] ?? 'verification_failed'}`;
  return { status: 303, body: '', headers: { location } };
}
