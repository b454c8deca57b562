import { randomBytes } from 'node:crypto';
import { tokenHash } from '../../authentication/api-tokens/index.js';

const randomByteCount = 32;

/** The secret of a new link: its text, which stands in the link alone, and the hash that is stored. */
export function generateLinkToken(): { text: string; hash: string } {
  const text = randomBytes(randomByteCount).toString('base64url');
  return { text, hash: tokenHash(text) };
}
