import {
  beginStableRead,
  hasSqlState,
  identifier,
  sqlState,
  type EntityClass,
  type Migration,
  type Queryable,
  type Transaction,
  type TransactionalDatabase,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { recordDefinitions, type RecordKind } from '@quire/site-package';
import type { RecordSource } from './record-source.js';
import { stagedRecordEntity, type StagedRecord } from './staged-record.entity.js';

/** Records by kind; kinds without records are absent. */
export type RecordCounts = Partial<Record<RecordKind, number>>;

/** A page of copied records. */
export interface RecordPage {
  /** JSON texts of one record each, in the order of their keys. */
  lines: string[];
  /** Position of the last line; `after` of the next page. */
  last: number;
}

/** Of one statement: the records of a kind may be those of a million entries. */
const statementTimeout = '1h';

/**
 * The copied records of the operations of one service. Each service has a table of its own: the services may share a
 * site's schema.
 */
export class StagedRecords {
  readonly entity: EntityClass<StagedRecord>;
  private readonly table: string;

  /** @param service "content" */
  constructor(service: string) {
    this.table = `staged_records_${service}`;
    this.entity = stagedRecordEntity(this.table);
  }

  /**
   * Creates the table. It is unlogged: a crash of the database empties it, and the export begins again. Records are
   * stored without compression, which would cost more time than it saves space.
   */
  get migration(): Migration {
    const { table } = this;
    return {
      name: '0070-staged-records',
      up: async (sql) => {
        await sql.query(`
          CREATE UNLOGGED TABLE ${table} (
            operation_id text NOT NULL,
            kind text NOT NULL,
            position bigint NOT NULL,
            record text NOT NULL,
            CONSTRAINT ${table}_pkey PRIMARY KEY (operation_id, kind, position)
          )`);
        await sql.query(`ALTER TABLE ${table} ALTER COLUMN record SET STORAGE EXTERNAL`);
      },
    };
  }

  /**
   * Copies the records of all sources, as they are at one instant, for reading in bounded steps. A repetition replaces
   * the copies. Users whom the records name become records of the kind `principals` with nothing but their id, which
   * the counts do not include.
   * @param listSources the sources; called in the transaction, so that it sees the same instant
   * @throws QuireError TRANSFER_EXPORT_CONCURRENT_WRITES when another call makes the same copies, or what the sources
   *   lock was changed at the beginning: a repetition starts over
   */
  async stage(
    db: TransactionalDatabase,
    operationId: string,
    listSources: (tx: Transaction) => Promise<readonly RecordSource[]>,
  ): Promise<RecordCounts> {
    return mapConflicts(() =>
      db.transaction(async (tx) => {
        await beginStableRead(tx);
        await tx.query(`SET LOCAL statement_timeout = '${statementTimeout}'`);
        await this.discard(tx, operationId);
        const sources = await listSources(tx);
        const counts: RecordCounts = {};
        for (const source of sources) {
          const count = await this.stageSource(tx, operationId, source);
          if (count > 0) counts[source.kind] = count;
        }
        await this.stagePrincipals(tx, operationId, sources);
        return counts;
      }),
    );
  }

  /**
   * Reads copied records.
   * @param page `after` is 0 for the first page. A page has at most `maxRecords` records; it ends with the record that
   *   reaches `maxBytes`
   */
  async read(
    sql: Queryable,
    operationId: string,
    page: { kind: RecordKind; after: number; maxRecords: number; maxBytes: number },
  ): Promise<RecordPage> {
    const { kind, after, maxRecords, maxBytes } = page;
    // The sizes are summed before the texts are read: a page never holds more than it returns. Positions have no gaps:
    // both scans are bounded, whatever the database knows of the table's size.
    const rows = await sql.query<Pick<StagedRecord, 'position' | 'record'>>(
      `WITH sized AS (
         SELECT position, sum(octet_length(record)) OVER (ORDER BY position) - octet_length(record) AS before
         FROM ${this.table}
         WHERE operation_id = $1 AND kind = $2 AND position > $3 AND position <= $3::bigint + $4)
       SELECT position, record FROM ${this.table}
       WHERE operation_id = $1 AND kind = $2 AND position > $3
         AND position <= (SELECT max(position) FROM sized WHERE before < $5)
       ORDER BY position`,
      [operationId, kind, after, maxRecords, maxBytes],
    );
    return { lines: rows.map(({ record }) => record), last: rows.at(-1)?.position ?? after };
  }

  /** Deletes the copies of an operation. */
  async discard(sql: Queryable, operationId: string): Promise<void> {
    await sql.query(`DELETE FROM ${this.table} WHERE operation_id = $1`, [operationId]);
  }

  private async stageSource(
    tx: Transaction,
    operationId: string,
    { kind, select }: RecordSource,
  ): Promise<number> {
    const key = recordDefinitions[kind].key.map((property) => `r.${identifier(property)}`).join(", '/', ");
    // A line feed outside of strings is white space between tokens; inside of them JSON escapes it. `translate` would
    // take longer than the rest of the statement.
    const [row] = await tx.query<{ count: number }>(
      `WITH staged AS (
         INSERT INTO ${this.table} (operation_id, kind, position, record)
         SELECT $1, $2, row_number() OVER (ORDER BY concat(${key}) COLLATE "C"),
           replace(replace(row_to_json(r)::text, E'\\n', ' '), E'\\r', ' ')
         FROM (${select}) r
         RETURNING 1)
       SELECT count(*)::int AS count FROM staged`,
      [operationId, kind],
    );
    return row?.count ?? 0;
  }

  private async stagePrincipals(
    tx: Transaction,
    operationId: string,
    sources: readonly RecordSource[],
  ): Promise<void> {
    const named = sources.flatMap(({ kind, select }) =>
      recordDefinitions[kind].principals.map(
        (property) => `SELECT r.${identifier(property)} AS id FROM (${select}) r`,
      ),
    );
    if (named.length === 0) return;
    await tx.query(
      `INSERT INTO ${this.table} (operation_id, kind, position, record)
       SELECT $1, 'principals', row_number() OVER (ORDER BY id COLLATE "C"), json_build_object('id', id)::text
       FROM (SELECT DISTINCT id FROM (${named.join(' UNION ALL ')}) n WHERE id IS NOT NULL) p`,
      [operationId],
    );
  }
}

/** @throws QuireError TRANSFER_EXPORT_CONCURRENT_WRITES for a conflict with another transaction */
async function mapConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { serialization, uniqueViolation, deadlock } = sqlState;
    if (!hasSqlState(error, serialization, uniqueViolation, deadlock)) throw error;
    const message = 'The site was changed or copied by others at the same time. Retry.';
    throw new QuireError('TRANSFER_EXPORT_CONCURRENT_WRITES', message, { cause: error });
  }
}
