import type { Queryable } from '@quire/database';
import { selectLastLink, selectLinks } from '../audit-chain.repository.js';
import type { AuditRecord } from '../audit-record.js';

const batchSize = 500;

/**
 * A record as it is exported. Its hash is SHA-256 over `chain.previousHash` and the SHA-256 of the other members but
 * `tenant` (RFC 8785).
 */
export interface ExportedRecord extends AuditRecord {
  tenant: string;
  /** Its place in the chain, hashes in hexadecimal. */
  chain: { seq: number; previousHash: string; hash: string };
}

/** Number of the last record, 0 without one. Records become visible in the order of their numbers. */
export async function lastRecordNumber(sql: Queryable): Promise<number> {
  return (await selectLastLink(sql))?.seq ?? 0;
}

/**
 * The records of a site after one number and up to another, in the order of the chain.
 * @param range.since leaves out older ones
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
