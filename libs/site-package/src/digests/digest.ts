import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';

/** "sha256:" and 64 hexadecimal digits. */
export const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

export type Digest = `sha256:${string}`;

/** The digest of bytes or of a text in UTF-8. */
export function digestOf(bytes: Uint8Array | string): Digest {
  return `sha256:${sha256Of(bytes)}`;
}

/** The digest of the canonical JSON (RFC 8785) of a value: equal for equal values, however they were built. */
export function canonicalDigestOf(value: object): Digest {
  return digestOf(canonicalize(value) ?? '');
}

/** SHA-256 in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
