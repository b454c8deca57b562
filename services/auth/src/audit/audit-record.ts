import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A record of the audit log in its hashed and exported form. */
export interface AuditRecord {
  id: string;
  action: string;
  /** ISO 8601 in UTC with milliseconds. */
  createdAt: string;
  actor: { kind: string; id: string | null };
  target: { type: string; id: string } | null;
  /** The affected user. */
  userId: string | null;
  clientAddress: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
}

/** The place of a record in the chain of its site. */
export interface AuditLink {
  /** From 1, without gaps. */
  seq: number;
  /** Hash of the link before this one. */
  previousHash: Buffer;
  hash: Buffer;
}

/** The previous hash of the first link of a chain. */
export const genesisHash = Buffer.alloc(32);

/** SHA-256 over the canonical JSON (RFC 8785, decision 65) of a record. */
export function recordDigest(record: AuditRecord): Buffer {
  return createHash('sha256')
    .update(canonicalize(record) ?? '')
    .digest();
}

/**
 * Hash of a link: SHA-256 over the hash of the link before it and the digest of its record. The trigger of `audit_log`
 * computes the same.
 */
export function linkHash(previousHash: Buffer, digest: Buffer): Buffer {
  return createHash('sha256').update(previousHash).update(digest).digest();
}
