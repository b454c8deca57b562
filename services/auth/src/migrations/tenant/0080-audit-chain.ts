import type { Migration, Queryable } from '@quire/database';
import { genesisHash, linkHash, recordColumns, recordDigest, type AuditRecord } from '../../audit/index.js';

const batchSize = 1_000;

/** Chains the existing records, ordered by their time. */
async function chainPresentRecords(sql: Queryable): Promise<void> {
  let seq = 0;
  let hash: Buffer = genesisHash;
  let records: AuditRecord[];
  let after: Pick<AuditRecord, 'createdAt' | 'id'> = { createdAt: '-infinity', id: '' };
  do {
    records = await sql.query<AuditRecord>(
      `SELECT ${recordColumns} FROM audit_log a WHERE (a.created_at, a.id) > ($1::timestamptz, $2)
       ORDER BY a.created_at, a.id LIMIT $3`,
      [after.createdAt, after.id, batchSize],
    );
    const links = records.map((record) => {
      const digest = recordDigest(record);
      const previousHash = hash;
      hash = linkHash(previousHash, digest);
      seq += 1;
      return { seq, id: record.id, digest, previousHash, hash };
    });
    const columns = (['seq', 'id', 'digest', 'previousHash', 'hash'] as const).map((column) =>
      links.map((link) => link[column]),
    );
    await sql.query(
      `WITH links AS (
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[])
           AS link (seq, id, digest, previous_hash, hash)
       ), digested AS (
         UPDATE audit_log a SET digest = links.digest FROM links WHERE a.id = links.id
       ) INSERT INTO audit_chain (seq, record_id, previous_hash, hash) SELECT seq, id, previous_hash, hash FROM links`,
      columns,
    );
    after = records.at(-1) ?? after;
  } while (records.length === batchSize);
}

/**
 * Creates the hash chain of a site's audit log. The trigger appends a link for each new record during the commit of its
 * transaction. The lock of the chain is the last lock of a transaction and is held only during the commit. Writers
 * therefore neither wait for each other's work nor deadlock, and links have the order in which records become visible.
 */
export const auditChainMigration: Migration = {
  name: '0080-audit-chain',
  up: async (sql) => {
    await sql.query(`ALTER TABLE audit_log ADD COLUMN digest bytea NOT NULL DEFAULT '\\x'`);
    await sql.query(`
      CREATE TABLE audit_chain (
        seq bigint PRIMARY KEY,
        record_id text NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL
      )`);
    await sql.query('CREATE UNIQUE INDEX audit_chain_record_id ON audit_chain (record_id)');
    await chainPresentRecords(sql);
    // The site's schema is fixed in the function: a statement of an operator may have another search_path.
    await sql.query(`
      CREATE FUNCTION append_audit_link() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      DECLARE
        last_seq bigint;
        last_hash bytea;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('audit-chain:' || current_schema, 0));
        SELECT seq, hash INTO last_seq, last_hash FROM audit_chain ORDER BY seq DESC LIMIT 1;
        IF NOT FOUND THEN
          last_seq := 0;
          last_hash := '\\x${genesisHash.toString('hex')}';
        END IF;
        INSERT INTO audit_chain (seq, record_id, previous_hash, hash)
        VALUES (last_seq + 1, NEW.id, last_hash, sha256(last_hash || NEW.digest));
        RETURN NULL;
      END
      $$`);
    await sql.query(`
      CREATE CONSTRAINT TRIGGER audit_log_chain AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION append_audit_link()`);
  },
};
