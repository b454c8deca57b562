import type pg from 'pg';
import { DataSource, type EntityTarget, type MixedList, type ObjectLiteral, type Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { ConnectionShare } from './connection-share.js';
import { copyFrom, copyTo } from './copy.js';
import { hasSqlState, isUnavailable, sqlState, translateFailure, unavailable } from './failures.js';
import { preferConnection } from './idle-connections.js';
import { assertSessionPooling, setUpConnection, type PoolerMode, type SessionSettings } from './pooler.js';
import { SessionSwitchError } from './prepared-query.js';
import { isPrepared, runPrepared, runStatement, type Scope } from './run-statement.js';
import { Sessions, type SqlTarget } from './session.js';
import { inStatementSpan, spannedClient } from './statement-spans.js';
import type { Queryable, Statement, Transaction, TransactionalDatabase } from './sql.js';
import { beginText } from './trace-setting.js';
import { valueTypes } from './value-types.js';

export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections of this process. */
  poolSize: number;
  /** Name in pg_stat_activity. */
  applicationName: string;
  /** Time to wait for a connection. Default: 3 s, after which a client prefers a 503. */
  connectTimeoutMs?: number | undefined;
  entities?: MixedList<string | (new () => object)>;
  /** Default: `none`, with which a connection to a pooler is refused. */
  pooler?: PoolerMode | undefined;
  /**
   * Called with the seconds that a statement or transaction has waited for a connection: for the share of its site, for
   * the pool, and until the connection is set to its schema, unless the statement sets it. Waits that end without a
   * connection count too.
   */
  onWait?: ((seconds: number) => void) | undefined;
}

const defaultConnectTimeoutMs = 3_000;
const statementTimeoutMs = 30_000;
/** Connections have a maximum age, so that plans of deleted tenants and old schemas do not accumulate on them. */
const connectionLifetimeSeconds = 900;
/** Connections that may reject a schema's owner before the error is reported. */
const maxConnectionsRefused = 6;

const sessionSettings: SessionSettings = {
  timezone: 'UTC',
  search_path: 'pg_catalog',
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
};

/** Options of a handle of statements. */
export interface SchemaOptions {
  /**
   * Whether statements run with only the rights of the schema's owner, a role that the login may switch to; they reach
   * nothing else than the objects granted to this role.
   */
  asOwner?: boolean;
  /** Trace context of the request or job that the statements belong to. */
  trace?: string | undefined;
}

const clientsWithErrorHandler = new WeakSet<pg.PoolClient>();

interface BoundRunner {
  databaseConnection: pg.PoolClient;
  isTransactionActive: boolean;
}

/**
 * One PostgreSQL database of one service: a pool, and a TypeORM data source over the same pool. Statements run in a
 * schema that the caller names; `search_path` has only that schema, so a wrong name finds nothing.
 */
export class Database {
  private readonly sessions = new Sessions();

  private constructor(
    private readonly dataSource: DataSource,
    private readonly pool: pg.Pool,
    private readonly share: ConnectionShare,
    private readonly onWait: DatabaseOptions['onWait'],
  ) {}

  /**
   * Connects.
   * @throws UnsupportedPoolerError when a pooler gives a connection the sessions of others; the driver's error when the
   *   database does not respond
   */
  static async connect(options: DatabaseOptions): Promise<Database> {
    if (options.pooler === 'session') await assertSessionPooling(options.url);
    const { connectTimeoutMs = defaultConnectTimeoutMs } = options;
    const dataSource = new DataSource({
      type: 'postgres',
      url: options.url,
      entities: options.entities ?? [],
      applicationName: options.applicationName,
      poolSize: options.poolSize,
      synchronize: false,
      installExtensions: false,
      extra: {
        types: valueTypes,
        connectionTimeoutMillis: connectTimeoutMs,
        onConnect: setUpConnection({ pooler: options.pooler, settings: sessionSettings }),
        maxLifetimeSeconds: connectionLifetimeSeconds,
        keepAlive: true,
      },
    });
    await dataSource.initialize();
    const pool = (dataSource.driver as PostgresDriver).master as pg.Pool;
    const share = new ConnectionShare(options.poolSize, connectTimeoutMs);
    return new Database(dataSource, pool, share, options.onWait);
  }

  /** Statements in one schema. */
  inSchema(schema: string, { asOwner = false, trace }: SchemaOptions = {}): TransactionalDatabase {
    const target = { schema, asOwner, trace };
    return {
      trace,
      query: (statement, values) => this.query(target, statement, values),
      transaction: (work) => this.transaction(target, work),
    };
  }

  /** Forgets the role that owns a schema, after this process has created the schema or dropped it. */
  forgetOwner(schema: string): void {
    this.sessions.forgetOwner(schema);
  }

  /** Numbers of connections, of idle ones, and of requests that wait for one. */
  get poolUse(): { total: number; idle: number; waiting: number } {
    return {
      total: this.pool.totalCount,
      idle: this.pool.idleCount,
      waiting: this.pool.waitingCount + this.share.waiting,
    };
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  private query<Row extends object>(
    target: Scope,
    statement: Statement | string,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    const run = (client: pg.PoolClient) => runStatement<Row>(client, target, statement, values);
    const whenEntered = () => this.withConnection(target, (client) => this.runAsOwner(client, target, run));
    if (!isPrepared(statement) || !this.sessions.isKnown(target)) return whenEntered();
    const runWithSettings = (client: pg.PoolClient) =>
      this.sessions.run(client, target, (settings) => runPrepared<Row>(client, target, statement, settings));
    return this.withConnection(
      target,
      (client) => this.runAsOwner(client, target, run, runWithSettings),
      () => this.takeConnection(target),
    ).catch((error: unknown) => {
      // Nothing has run. Another connection, or another look at the owner, may help.
      if (error instanceof SessionSwitchError) return whenEntered();
      throw error;
    });
  }

  /**
   * Runs a statement, and again if its schema has another owner since.
   * @param run runs it on a connection that is at the target
   * @param first runs it the first time
   */
  private async runAsOwner<Result>(
    client: pg.PoolClient,
    target: Scope,
    run: (client: pg.PoolClient) => Promise<Result>,
    first = run,
  ): Promise<Result> {
    try {
      return await first(client);
    } catch (error) {
      if (!(await this.sessions.hasOtherOwner(client, target, error))) throw error;
      await this.sessions.enter(client, target);
      return run(client);
    }
  }

  private transaction<Result>(target: Scope, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const afterCommit: (() => void)[] = [];
    const committed = this.withConnection(target, async (client) => {
      await client.query(beginText(target.trace));
      try {
        const result = await work(this.openTransaction(client, target, afterCommit));
        await inStatementSpan(target, 'COMMIT', () => commit(client));
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        if (await this.sessions.hasOtherOwner(client, target, error))
          throw unavailable('The site was moved to another database role; retry', error);
        throw error;
      }
    });
    return committed.then((result) => {
      for (const action of afterCommit) action();
      return result;
    });
  }

  private openTransaction(client: pg.PoolClient, scope: Scope, afterCommit: (() => void)[]): Transaction {
    let runner: ReturnType<DataSource['createQueryRunner']> | undefined;
    const sql: Queryable = {
      trace: scope.trace,
      query: (statement, values) => runStatement(client, scope, statement, values),
    };
    return {
      ...sql,
      repository: <Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> => {
        runner ??= this.bindRunner(spannedClient(client, scope));
        return runner.manager.getRepository(entity);
      },
      afterCommit: (action) => afterCommit.push(action),
      copyTo: (statement) => copyTo(client, statement),
      copyFrom: (statement, rows) => copyFrom(client, statement, rows),
    };
  }

  /**
   * A TypeORM query runner on a connection that is checked out and bound to a schema. TypeORM must never take a
   * connection by itself: it would have the schema of its last user.
   */
  private bindRunner(client: pg.PoolClient) {
    const runner = this.dataSource.createQueryRunner();
    Object.assign(runner as unknown as BoundRunner, {
      databaseConnection: client,
      isTransactionActive: true,
    });
    return runner;
  }

  private async withConnection<Result>(
    target: SqlTarget,
    work: (client: pg.PoolClient) => Promise<Result>,
    connect = () => this.connectionFor(target),
  ): Promise<Result> {
    const { client, release } = await this.checkOut(target, connect);
    try {
      const result = await work(client);
      release();
      return result;
    } catch (error) {
      release(isUnavailable(error) ? (error as Error) : undefined);
      throw translateFailure(error);
    }
  }

  /**
   * A site has a share of the pool, work across sites the whole of it.
   * @returns a connection for the target, and a function that gives it back, with an error if it is broken
   */
  private async checkOut(
    target: SqlTarget,
    connect: () => Promise<pg.PoolClient>,
  ): Promise<{ client: pg.PoolClient; release: (error?: Error) => void }> {
    const startedAt = performance.now();
    let leave: (() => void) | undefined;
    try {
      if (target.asOwner) leave = await this.share.acquire(target.schema);
      const client = await connect();
      return {
        client,
        release: (error) => {
          client.release(error);
          leave?.();
        },
      };
    } catch (error) {
      leave?.();
      throw translateFailure(error);
    } finally {
      this.onWait?.((performance.now() - startedAt) / 1000);
    }
  }

  /** A connection of the pool, which need not be at the target. */
  private async takeConnection(target: SqlTarget): Promise<pg.PoolClient> {
    preferConnection(this.pool, target.schema, (client) => this.sessions.isOn(client, target));
    const client = await this.pool.connect();
    attachErrorHandler(client);
    return client;
  }

  /**
   * A connection of the pool at a target. A server process that reads its login's memberships while another role is
   * granted may cache the older list, and reject the new role until the next grant. Another connection has the new
   * list.
   */
  private async connectionFor(target: SqlTarget): Promise<pg.PoolClient> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.takeConnection(target);
      try {
        await this.sessions.enter(client, target);
        return client;
      } catch (error) {
        const isRefused = hasSqlState(error, sqlState.insufficientPrivilege);
        // A connection that is broken or has an older list must not go back into the pool.
        client.release(isRefused || isUnavailable(error) ? (error as Error) : undefined);
        if (!isRefused || attempt === maxConnectionsRefused) throw error;
      }
    }
  }
}

/** A broken connection emits an event besides failing its statement; without a listener the event ends the process. */
function attachErrorHandler(client: pg.PoolClient): void {
  if (clientsWithErrorHandler.has(client)) return;
  clientsWithErrorHandler.add(client);
  client.on('error', () => undefined);
}

/** If a statement failed and the caller ignored the error, COMMIT succeeds with the command tag ROLLBACK. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed');
}
