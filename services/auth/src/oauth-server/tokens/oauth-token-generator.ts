import { createHmac, randomBytes } from 'node:crypto';

const accessTokenPrefix = 'ec_oat_';
const refreshTokenPrefix = 'ec_ort_';
const randomByteCount = 32;
const familyByteCount = 16;

export const accessTokenSeconds = 3600;
export const refreshTokenDays = 90;
/** However often it is refreshed, a grant ends after so long: then the user is asked anew. */
export const grantDays = 365;

/** 32 random bytes as text: codes, and what follows the prefix of tokens (contract 4). */
export const generateSecret = (): string => randomBytes(randomByteCount).toString('base64url');

export const generateAccessToken = (): string => accessTokenPrefix + generateSecret();
export const generateRefreshToken = (): string => refreshTokenPrefix + generateSecret();

/**
 * The half of a refresh token that all tokens of its grant have, one after the other, so that each of them is known for
 * what it is once it was replaced. @returns undefined for what is no refresh token
 */
export const familyOf = (refreshToken: string): string | undefined =>
  bytesOf(refreshToken)?.toString('base64url', 0, familyByteCount);

/**
 * The token that replaces a refresh token. The same one each time: a client that missed the answer gets it again,
 * although the server keeps hashes alone.
 * @param salt the grant's own, which is no secret: without the token it gives nothing
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
