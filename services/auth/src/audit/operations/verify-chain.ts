import { beginSnapshot, type Queryable, type TransactionalDatabase } from '@quire/database';
import { selectLinks, selectUnlinkedRecord, type ChainedRecord } from '../audit-chain.repository.js';
import type { AuditHead, AuditHeads, DailyHead } from '../audit-heads.repository.js';
import { genesisHash, linkHash, recordDigest } from '../audit-record.js';

const batchSize = 1_000;

/** Result of a verification. */
export interface ChainVerification {
  /** Number of chained and unchanged records. */
  records: number;
  /** Number of daily heads that the chain contains. */
  heads: number;
  /** The first break of the chain; null when the chain is intact. */
  fault: string | null;
}

/** A break of the chain, with a message for operators. */
class ChainFault extends Error {}

/**
 * Verifies the audit log of a site from its oldest record to its newest: detects changed, deleted and inserted records,
 * and a chain that was rewritten after one of its heads was stored.
 * @param db of the site, in the auth service
 * @returns the numbers of verified records and heads, and the first break.
 */
export async function verifyAuditChain(
  db: TransactionalDatabase,
  heads: AuditHeads,
  tenantId: string,
): Promise<ChainVerification> {
  // Before the log is read: a head that is stored later may be of a record outside the snapshot.
  const dailyHeads = await heads.selectHeads(tenantId);
  return db.transaction(async (tx) => {
    // The retention may delete records during the verification.
    await beginSnapshot(tx);
    let links = await selectLinks(tx, { after: 0, limit: batchSize });
    // After the snapshot is taken: the anchor moves before records are deleted.
    const anchor = await heads.selectAnchor(tenantId);
    const verifier = new ChainVerifier(dailyHeads, anchor ?? { seq: 0, hash: genesisHash });
    try {
      for (; links.length > 0; links = await selectLinks(tx, { after: verifier.seq, limit: batchSize }))
        for (const link of links) verifier.step(link);
      verifier.end();
      await assertAllLinked(tx);
    } catch (error) {
      if (!(error instanceof ChainFault)) throw error;
      return { records: verifier.records, heads: verifier.heads, fault: error.message };
    }
    return { records: verifier.records, heads: verifier.heads, fault: null };
  });
}

/** Verifies a chain link by link. @throws ChainFault at the first inconsistency. */
class ChainVerifier {
  seq = 0;
  records = 0;
  heads = 0;
  private hash: Buffer | undefined;
  private readonly headAt: ReadonlyMap<number, DailyHead>;

  constructor(
    private readonly dailyHeads: readonly DailyHead[],
    private readonly anchor: AuditHead,
  ) {
    this.headAt = new Map(dailyHeads.map((head) => [head.seq, head]));
  }

  step({ seq, previousHash, hash, recordId, record }: ChainedRecord): void {
    this.assertNext(seq, previousHash);
    if (record) {
      if (!linkHash(previousHash, recordDigest(record)).equals(hash))
        throw new ChainFault(`record ${seq} (${recordId}) was changed`);
      this.records += 1;
    } else if (seq > this.anchor.seq) throw new ChainFault(`record ${seq} (${recordId}) is missing`);
    if (seq === this.anchor.seq && !hash.equals(this.anchor.hash))
      throw new ChainFault(`record ${seq} is not the one up to which the retention removed records`);
    const head = this.headAt.get(seq);
    if (head) this.assertHead(head, hash);
    this.seq = seq;
    this.hash = hash;
  }

  /** @throws ChainFault when links up to the newest head or the anchor are missing. */
  end(): void {
    const newest = this.dailyHeads.at(-1);
    const expected = Math.max(newest?.seq ?? 0, this.anchor.seq);
    if (this.seq >= expected) return;
    throw new ChainFault(`records ${this.seq + 1} to ${expected} are missing at its end`);
  }

  private assertNext(seq: number, previousHash: Buffer): void {
    // Records before the anchor may or may not be deleted.
    const latestNext = this.hash === undefined ? this.anchor.seq + 1 : this.seq + 1;
    if (seq > latestNext) throw new ChainFault(`records ${latestNext} to ${seq - 1} are missing`);
    const expected = this.hash ?? this.hashBefore(seq);
    if (expected && !previousHash.equals(expected))
      throw new ChainFault(`record ${seq} does not follow the record before it`);
  }

  /** The expected previous hash of the first existing link; undefined before the anchor, where links are deleted. */
  private hashBefore(seq: number): Buffer | undefined {
    if (seq === 1) return genesisHash;
    return seq === this.anchor.seq + 1 ? this.anchor.hash : undefined;
  }

  private assertHead({ day, seq, hash }: DailyHead, actual: Buffer): void {
    if (!hash.equals(actual)) throw new ChainFault(`record ${seq} is not the head that was stored on ${day}`);
    this.heads += 1;
  }
}

async function assertAllLinked(sql: Queryable): Promise<void> {
  const id = await selectUnlinkedRecord(sql);
  if (id !== undefined) throw new ChainFault(`the record ${id} is in no chain`);
}
