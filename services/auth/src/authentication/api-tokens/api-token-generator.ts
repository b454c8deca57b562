import { createHash, randomBytes } from 'node:crypto';

export const personalTokenPrefix = 'ec_pat_';

const randomByteCount = 32;
const shownCharacters = 4;

/** @returns a new personal access token: its text (shown once), its prefix for lists, and the hash that is stored. */
export function generateApiToken(): { text: string; prefix: string; hash: string } {
  const text = personalTokenPrefix + randomBytes(randomByteCount).toString('base64url');
  return { text, prefix: text.slice(0, personalTokenPrefix.length + shownCharacters), hash: tokenHash(text) };
}

/** SHA-256 of a token's text, hexadecimal. */
export function tokenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
