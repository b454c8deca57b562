import type pg from 'pg';
import { PreparedQuery } from './prepared-query.js';
import type { SqlTarget } from './session.js';
import type { Statement } from './sql.js';
import { inStatementSpan } from './statement-spans.js';
import { valueTypes } from './value-types.js';

/** Where a statement runs, and the trace context of the request or job that it belongs to. */
export interface Scope extends SqlTarget {
  trace: string | undefined;
}

/**
 * Runs one statement on a connection.
 * @param scope that of the connection's session
 * @returns its rows
 */
export function runStatement<Row extends object>(
  client: pg.PoolClient,
  scope: Scope,
  statement: Statement | string,
  values?: readonly unknown[],
): Promise<Row[]> {
  if (isPrepared(statement)) return runPrepared<Row>(client, scope, statement);
  const { text, values: given } = typeof statement === 'string' ? { text: statement, values } : statement;
  return inStatementSpan(
    scope,
    text,
    async () => (await client.query<Row>({ text, values: given as unknown[] })).rows,
  );
}

export type PreparedStatementOf = Statement & { prepared: true };

export function isPrepared(statement: Statement | string): statement is PreparedStatementOf {
  return typeof statement !== 'string' && statement.prepared === true;
}

/**
 * Runs one prepared statement on a connection.
 * @param settings statements that bring the session of the connection to the scope
 * @returns its rows
 * @throws SessionSwitchError when the server rejects one of them
 */
export function runPrepared<Row extends object>(
  client: pg.PoolClient,
  scope: Scope,
  { text, values = [] }: PreparedStatementOf,
  settings: readonly string[] = [],
): Promise<Row[]> {
  const { schema } = scope;
  return inStatementSpan(scope, text, async () => {
    try {
      return await new Promise<Row[]>((resolve, reject) => {
        const options = { schema, settings, text, values, types: valueTypes };
        client.query(
          new PreparedQuery<Row>(options, (error, rows) => (error ? reject(error) : resolve(rows))),
        );
      });
    } catch (error) {
      // The stack of the error is that of the socket: the statement's is useful.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  });
}
