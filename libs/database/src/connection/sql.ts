import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/**
 * A statement with its parameters. `prepared` makes PostgreSQL plan it once for each connection: for frequent texts. A
 * text whose columns may change meaning (a collection's table) names the version that it was built for.
 */
export interface Statement {
  prepared?: boolean;
  text: string;
  values?: readonly unknown[];
}

/** Runs statements: a database, a tenant's database or an open transaction. */
export interface Queryable {
  /** Trace context of the request or job that the statements belong to. */
  readonly trace?: string | undefined;
  /** Runs one parameterised statement and returns its rows. */
  query<Row extends object>(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One open transaction. All of it is committed or none. */
export interface Transaction extends Queryable {
  /** A TypeORM repository that works inside this transaction. For fixed tables, off the hot paths. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity>;
  /** Runs after a successful commit, never after a rollback. */
  afterCommit(action: () => void): void;
  /**
   * Runs `COPY … TO STDOUT`, and returns its output in pieces of any length. No other statement runs until the last
   * piece. A reader that stops before ends the connection, and so the transaction.
   */
  copyTo(statement: string): AsyncIterable<Buffer>;
  /** Runs `COPY … FROM STDIN` with this input. A failure ends the connection, and so the transaction. */
  copyFrom(statement: string, rows: AsyncIterable<Buffer>): Promise<void>;
}

/** A database that opens transactions. */
export interface TransactionalDatabase extends Queryable {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

/** Runs an action after the commit of the transaction of the statements, or immediately without a transaction. */
export function afterCommit(sql: Queryable, action: () => void): void {
  if ('afterCommit' in sql) (sql as Transaction).afterCommit(action);
  else action();
}

/** Makes all statements of a transaction read from one snapshot. It must be the first statement. */
export async function beginSnapshot(tx: Transaction): Promise<void> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
}

/** The same for a transaction that also writes. It must be the first statement. */
export async function beginStableRead(tx: Transaction): Promise<void> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
}
