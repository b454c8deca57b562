import type { TransactionalDatabase } from '@quire/database';

/** The last link of a site's chain at some time. */
export interface AuditHead {
  seq: number;
  hash: Buffer;
}

/** The last head of a day. */
export interface DailyHead extends AuditHead {
  /** In UTC: "2026-01-31". */
  day: string;
}

/**
 * The chains' heads and anchors in the registry, outside of the sites' own schemas: the last head of each day, and the
 * anchor, the last link whose record the retention deleted.
 */
export class AuditHeads {
  /** @param sql statements in the registry's schema */
  constructor(private readonly sql: TransactionalDatabase) {}

  /** @returns the daily heads of a site, oldest first. */
  async selectHeads(tenantId: string): Promise<DailyHead[]> {
    return this.sql.query<DailyHead>(
      'SELECT day::text, seq, hash FROM audit_heads WHERE tenant_id = $1 ORDER BY day',
      [tenantId],
    );
  }

  /** @returns the newest head of a site; undefined before the first. */
  async selectNewestHead(tenantId: string): Promise<DailyHead | undefined> {
    const [head] = await this.sql.query<DailyHead>(
      'SELECT day::text, seq, hash FROM audit_heads WHERE tenant_id = $1 ORDER BY day DESC LIMIT 1',
      [tenantId],
    );
    return head;
  }

  /** Stores the head of today unless a newer one is stored. A deleted site is skipped. */
  async upsertHead(tenantId: string, { seq, hash }: AuditHead): Promise<void> {
    await this.sql.query(
      `INSERT INTO audit_heads AS stored (tenant_id, day, seq, hash)
       SELECT id, (now() AT TIME ZONE 'UTC')::date, $2, $3 FROM tenants WHERE id = $1
       ON CONFLICT (tenant_id, day) DO UPDATE SET seq = excluded.seq, hash = excluded.hash
       WHERE stored.seq < excluded.seq`,
      [tenantId, seq, hash],
    );
  }

  /** @returns the last link whose record may be deleted; undefined before the retention deleted any. */
  async selectAnchor(tenantId: string): Promise<AuditHead | undefined> {
    const [anchor] = await this.sql.query<AuditHead>(
      'SELECT seq, hash FROM audit_anchors WHERE tenant_id = $1',
      [tenantId],
    );
    return anchor;
  }

  /** Moves the anchor forward and deletes the heads before it. */
  async updateAnchor(tenantId: string, { seq, hash }: AuditHead): Promise<void> {
    await this.sql.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO audit_anchors AS stored (tenant_id, seq, hash) SELECT id, $2, $3 FROM tenants WHERE id = $1
         ON CONFLICT (tenant_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash
         WHERE stored.seq < excluded.seq`,
        [tenantId, seq, hash],
      );
      await tx.query('DELETE FROM audit_heads WHERE tenant_id = $1 AND seq < $2', [tenantId, seq]);
    });
  }

  /** Replaces all heads and the anchor of a site: after its audit log was restored from a backup. */
  async replace(
    tenantId: string,
    { heads, anchor }: { heads: readonly DailyHead[]; anchor: AuditHead | undefined },
  ): Promise<void> {
    await this.sql.transaction(async (tx) => {
      for (const table of ['audit_heads', 'audit_anchors'])
        await tx.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
      for (const { day, seq, hash } of heads)
        await tx.query('INSERT INTO audit_heads (tenant_id, day, seq, hash) VALUES ($1, $2, $3, $4)', [
          tenantId,
          day,
          seq,
          hash,
        ]);
      if (anchor)
        await tx.query('INSERT INTO audit_anchors (tenant_id, seq, hash) VALUES ($1, $2, $3)', [
          tenantId,
          anchor.seq,
          anchor.hash,
        ]);
    });
  }
}
