import type { Context } from '@quire/context';
import type { Queryable, Statement } from '@quire/database';

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const rowsOf = ({ Plans: inner = [], ...plan }: Plan, table: string): number =>
  (plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  inner.reduce((sum, each) => sum + rowsOf(each, table), 0);

/**
 * Runs `call` in a transaction, and each of its statements once more, which tells how many rows it reads. The caller
 * runs `ANALYZE` before, so that the plans are those of tables in use.
 * @returns the number of rows of a table that the statements read
 */
export function rowsRead(
  db: Context['db'],
  table: string,
  call: (sql: Queryable) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    let read = 0;
    const query = async (statement: string | Statement, values?: readonly unknown[]) => {
      const { text, values: own } = typeof statement === 'string' ? { text: statement, values } : statement;
      const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        own,
      );
      read += row ? rowsOf(row['QUERY PLAN'][0].Plan, table) : 0;
      return tx.query(text, own);
    };
    await call({ query } as Queryable);
    return read;
  });
}
