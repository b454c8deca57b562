import canonicalize from 'canonicalize';
import { digestOf, type Digest } from './digest.js';

/** The digest of the canonical JSON (RFC 8785) of a value: the same for any order of properties. */
export function canonicalDigestOf(value: object): Digest {
  return digestOf(canonicalize(value) ?? '');
}
