import { createHash } from 'node:crypto';
import type { RecordKind } from '../records/record-kinds.js';
import { recordDefinitions } from '../records/record-definitions.js';
import { canonicalJson } from './canonical-json.js';

/**
 * What a record adds to the logical digest of a package: the SHA-256 of `<kind>\n` and its canonical JSON (RFC 8785)
 * without references to principals, whose ids differ between sites. The logical digest is the SHA-256 of these 32 bytes
 * of all records in the order of the package. Two sites with equal digests hold the same content.
 */
export function logicalBytesOf(kind: RecordKind, record: Readonly<Record<string, unknown>>): Buffer {
  const { principals } = recordDefinitions[kind];
  return createHash('sha256')
    .update(`${kind}\n${canonicalJson(record, principals)}`)
    .digest();
}

/** Principals are records of a kind of their own, which no digest includes. */
export function isInLogicalDigest(kind: RecordKind): boolean {
  return kind !== 'principals';
}
