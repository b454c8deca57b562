import { createHash, randomBytes } from 'node:crypto';

const personalTokenPrefix = 'ec_pat_';

const randomByteCount = 32;
/** Random characters in the prefix. */
const prefixCharacters = 4;

/** @returns a new personal access token: its text, its prefix for lists, and the hash for the database. */
export function generateApiToken(): { text: string; prefix: string; hash: string } {
  const text = personalTokenPrefix + randomBytes(randomByteCount).toString('base64url');
  return {
    text,
    prefix: text.slice(0, personalTokenPrefix.length + prefixCharacters),
    hash: tokenHash(text),
  };
}

/** @returns the SHA-256 of a token's text, hexadecimal. */
export function tokenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
