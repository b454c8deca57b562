import type { Queryable } from '@quire/database';
import { selectLastLink, selectLinks } from '../audit-chain.repository.js';
import type { AuditRecord } from '../audit-record.js';

const batchSize = 500;

/**
 * An exported record. Its hash is SHA-256 over `chain.previousHash` and the SHA-256 of the members other than `tenant`
 * and `chain` (RFC 8785).
 */
export interface ExportedRecord extends AuditRecord {
  tenant: string;
  /** Its place in the chain, hashes in hexadecimal. */
  chain: { seq: number; previousHash: string; hash: string };
}

/** @returns the number of the last record, 0 without one. Records become visible in the order of their numbers. */
export async function lastRecordNumber(sql: Queryable): Promise<number> {
  return (await selectLastLink(sql))?.seq ?? 0;
}

/**
 * Exports the records of a site in the order of the chain.
 * @param range.after number before the first record
 * @param range.upTo number of the last record
 * @param range.since ISO time; older records are omitted
 */
export async function* exportRecords(
  sql: Queryable,
  tenantId: string,
  { after, upTo, since }: { after: number; upTo: number; since?: string | undefined },
): AsyncGenerator<ExportedRecord> {
  let links;
  let last = after;
  do {
    links = await selectLinks(sql, { after: last, upTo, since, limit: batchSize });
    for (const { seq, previousHash, hash, record } of links) {
      last = seq;
      const chain = { seq, previousHash: previousHash.toString('hex'), hash: hash.toString('hex') };
      if (record) yield { tenant: tenantId, ...record, chain };
    }
  } while (links.length === batchSize);
}
