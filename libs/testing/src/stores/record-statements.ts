import type { Queryable, TransactionalDatabase } from '@quire/database';

/** A database that records its statements. */
export interface RecordingDatabase extends TransactionalDatabase {
  /** The texts in order, without comments, with `BEGIN` and the end of each transaction: each is a round trip. */
  readonly statements: string[];
}

const plain = (text: string) =>
  text
    .replace(/\/\*.*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Wraps a database. The statements of TypeORM repositories and of COPY are not recorded. */
export function recordStatements(db: TransactionalDatabase): RecordingDatabase {
  const statements: string[] = [];
  const queryOn =
    (sql: Queryable): Queryable['query'] =>
    (statement, values) => {
      statements.push(plain(typeof statement === 'string' ? statement : statement.text));
      return sql.query(statement, values);
    };
  return {
    trace: db.trace,
    statements,
    query: queryOn(db),
    transaction: async (work) => {
      statements.push('BEGIN');
      try {
        const result = await db.transaction((tx) => work({ ...tx, query: queryOn(tx) }));
        statements.push('COMMIT');
        return result;
      } catch (error) {
        statements.push('ROLLBACK');
        throw error;
      }
    },
  };
}
