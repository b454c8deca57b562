import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** A statement with its parameters. `name` makes PostgreSQL keep its plan on the connection: at most 63 characters. */
export interface Statement {
  name?: string;
  text: string;
  values?: readonly unknown[];
}

/** Something that runs statements: a database, a tenant's database or an open transaction. */
export interface Sql {
  /** Runs one parameterised statement and returns its rows. */
  query<Row extends object>(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One open transaction. Everything in it is committed together or not at all. */
export interface Transaction extends Sql {
  /** A TypeORM repository that works inside this transaction. For fixed tables, off the hot paths. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity>;
  /** Runs after a successful commit, never after a rollback. */
  afterCommit(action: () => void): void;
}

/** A database that opens transactions. */
export interface TransactionalSql extends Sql {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}
