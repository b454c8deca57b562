import type { TransactionalDatabase } from '@quire/database';

/** The end of a site's chain at some time. */
export interface AuditHead {
  seq: number;
  hash: Buffer;
}

export interface DailyHead extends AuditHead {
  /** In UTC: "2026-01-31". */
  day: string;
}

/**
 * What the registry knows of the chains of sites, outside of the sites' own schemas: the last head of each day, and the
 * anchor, up to which the retention has removed records.
 */
export class AuditHeads {
  /** @param sql statements in the registry's schema */
  constructor(private readonly sql: TransactionalDatabase) {}

  /** The daily heads of a site, oldest first. */
  async list(tenantId: string): Promise<DailyHead[]> {
    return this.sql.query<DailyHead>(
      'SELECT day::text, seq, hash FROM audit_heads WHERE tenant_id = $1 ORDER BY day',
      [tenantId],
    );
  }

  /** The newest head of a site; undefined before the first. */
  async newest(tenantId: string): Promise<DailyHead | undefined> {
    const [head] = await this.sql.query<DailyHead>(
      'SELECT day::text, seq, hash FROM audit_heads WHERE tenant_id = $1 ORDER BY day DESC LIMIT 1',
      [tenantId],
    );
    return head;
  }

  /** Stores the head of today, unless a newer one is stored. A site that is gone is passed over. */
  async store(tenantId: string, { seq, hash }: AuditHead): Promise<void> {
    await this.sql.query(
      `INSERT INTO audit_heads AS stored (tenant_id, day, seq, hash)
       SELECT id, (now() AT TIME ZONE 'UTC')::date, $2, $3 FROM tenants WHERE id = $1
       ON CONFLICT (tenant_id, day) DO UPDATE SET seq = excluded.seq, hash = excluded.hash
       WHERE stored.seq < excluded.seq`,
      [tenantId, seq, hash],
    );
  }

  /** Up to where records may be gone; undefined before the retention removed any. */
  async anchor(tenantId: string): Promise<AuditHead | undefined> {
    const [anchor] = await this.sql.query<AuditHead>(
      'SELECT seq, hash FROM audit_anchors WHERE tenant_id = $1',
      [tenantId],
    );
    return anchor;
  }

  /** Moves the anchor forward and forgets the heads before it. */
  async moveAnchor(tenantId: string, { seq, hash }: AuditHead): Promise<void> {
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
}
