import type {
  EntityClass,
  Migration,
  Queryable,
  Statement,
  Transaction,
  TransactionalDatabase,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { fencingTokenEntity, importScope, type FencingToken } from './fencing-token.entity.js';

/**
 * The fencing tokens of the processes that import into a site, as one service accepts them. Each lease of an import has
 * a greater token than the one before. Once the service has accepted a token, a process with a smaller one, which has
 * lost its lease without noticing, changes nothing any more.
 */
export class FencingTokens {
  readonly entity: EntityClass<FencingToken>;
  private readonly table: string;

  /** @param service "content" */
  constructor(service: string) {
    this.table = `fencing_tokens_${service}`;
    this.entity = fencingTokenEntity(this.table);
  }

  /** Creates the table. It is logged: a crash of the database must not make an old token valid. */
  get migration(): Migration {
    const { table } = this;
    return {
      name: '0071-fencing-tokens',
      up: async (sql) => {
        await sql.query(
          `CREATE TABLE ${table} (scope text, token bigint NOT NULL, CONSTRAINT ${table}_pkey PRIMARY KEY (scope))`,
        );
      },
    };
  }

  /**
   * Accepts a token, and waits for the open transactions of smaller ones. A token that is accepted already waits for
   * nothing: its holder may make several calls at a time.
   * @param ctx the context of a call, with the database of the site
   * @returns the context for the work of the token's holder: each transaction fails once a greater token is accepted,
   *   and keeps one from being accepted before its end. Single statements are transactions too
   * @throws QuireError SERVICE_UNAVAILABLE when a greater token is accepted already
   */
  async accept<Scope extends { db: TransactionalDatabase }>(ctx: Scope, token: number): Promise<Scope> {
    const { db } = ctx;
    const accepted = await db.query(
      `WITH present AS (SELECT 1 FROM ${this.table} WHERE scope = $1 AND token = $2::bigint),
         written AS (
           INSERT INTO ${this.table} AS t (scope, token) SELECT $1, $2::bigint WHERE NOT EXISTS (SELECT 1 FROM present)
           ON CONFLICT (scope) DO UPDATE SET token = EXCLUDED.token WHERE t.token <= EXCLUDED.token RETURNING 1)
       SELECT 1 FROM present UNION ALL SELECT 1 FROM written`,
      [importScope, token],
    );
    if (accepted.length === 0) throw tokenSuperseded();
    const transaction = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
      db.transaction(async (tx) => {
        await this.assertNewest(tx, token);
        return work(tx);
      });
    const query = <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
      transaction((tx) => tx.query<Row>(statement, values));
    return { ...ctx, db: { query, transaction } };
  }

  /** Locks the token until the end of the transaction. */
  private async assertNewest(tx: Queryable, token: number): Promise<void> {
    const newest = await tx.query(`SELECT 1 FROM ${this.table} WHERE scope = $1 AND token = $2 FOR SHARE`, [
      importScope,
      token,
    ]);
    if (newest.length === 0) throw tokenSuperseded();
  }
}

/** The holder finds that it has lost its lease when it records its step: then the code counts for nothing. */
function tokenSuperseded(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'Another process has taken over the import of the site', {
    retryAfterSeconds: 1,
  });
}
