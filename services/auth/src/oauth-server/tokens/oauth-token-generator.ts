import { createHmac, randomBytes } from 'node:crypto';

const accessTokenPrefix = 'ec_oat_';
const refreshTokenPrefix = 'ec_ort_';
const randomByteCount = 32;
const familyByteCount = 16;

export const accessTokenSeconds = 3600;
export const refreshTokenDays = 90;
/** Maximum age of a grant, with any number of refreshes; then the user has to consent again. */
export const grantDays = 365;

/** @returns 32 random bytes as text: a code, or a token without its prefix (contract 4). */
export const generateSecret = (): string => randomBytes(randomByteCount).toString('base64url');

/** @returns a new access token. */
export const generateAccessToken = (): string => accessTokenPrefix + generateSecret();
/** @returns a new refresh token. */
export const generateRefreshToken = (): string => refreshTokenPrefix + generateSecret();

/**
 * The part that all refresh tokens of a grant share: by it the grant of a replaced token is found.
 * @returns undefined for a text that is no refresh token
 */
export const familyOf = (refreshToken: string): string | undefined =>
  bytesOf(refreshToken)?.toString('base64url', 0, familyByteCount);

/**
 * Derives the token that replaces a refresh token. The derivation is deterministic: a client that missed the response
 * gets the same token again, although the server stores only hashes.
 * @param salt of the grant; it is not secret, because the derivation needs the token too
 * @throws RangeError for a text that is no refresh token
 */
export function successorOf(refreshToken: string, salt: string): string {
  const bytes = bytesOf(refreshToken);
  if (!bytes) throw new RangeError('Only a refresh token has a successor');
  const fresh = createHmac('sha256', salt).update(bytes).digest();
  const next = Buffer.concat([bytes.subarray(0, familyByteCount), fresh], randomByteCount);
  return refreshTokenPrefix + next.toString('base64url');
}

function bytesOf(refreshToken: string): Buffer | undefined {
  if (!refreshToken.startsWith(refreshTokenPrefix)) return undefined;
  const bytes = Buffer.from(refreshToken.slice(refreshTokenPrefix.length), 'base64url');
  return bytes.length === randomByteCount ? bytes : undefined;
}
