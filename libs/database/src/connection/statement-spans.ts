import { inSpan, isTracing } from '@quire/tracing';
import type pg from 'pg';

/** What a statement does, in words that contain no value of it. */
export interface StatementSummary {
  /** Its first word, or that of the change that it makes: "UPDATE". */
  operation: string;
  /** The table, if there is one that the operation is about. */
  table: string | undefined;
}

/** The change within a WITH statement. Locks and conflict clauses have the same words. */
const change =
  /(?<!\b(?:FOR|DO|NO KEY) )\b(?:INSERT INTO|UPDATE|DELETE FROM) ((?:"[^"]+"|[\w$]+)(?:\.(?:"[^"]+"|[\w$]+))?)/;
/** What decides on the depth of a text, and the tables that it reads. */
const readParts = /[()]|'(?:[^']|'')*'|\bFROM\s+((?:"[^"]+"|[a-z_][\w$]*)(?:\.(?:"[^"]+"|[\w$]+))?)|"[^"]*"/g;

/** Describes a statement for its span. */
export function summaryOf(text: string): StatementSummary {
  const operation = (/^\W*([A-Za-z]+)/.exec(text)?.[1] ?? 'STATEMENT').toUpperCase();
  if (operation === 'SELECT') return { operation, table: nameOf(readTable(text)) };
  if (!['WITH', 'INSERT', 'UPDATE', 'DELETE'].includes(operation)) return { operation, table: undefined };
  const found = change.exec(text);
  if (!found) return { operation: operation === 'WITH' ? 'SELECT' : operation, table: undefined };
  return { operation: found[0].split(' ', 1)[0] ?? operation, table: nameOf(found[1]) };
}

/** The first table of a SELECT itself: its columns may be subqueries. */
function readTable(text: string): string | undefined {
  let depth = 0;
  for (const [part, table] of text.matchAll(readParts)) {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    else if (table !== undefined && depth === 0) return table;
  }
  return undefined;
}

const nameOf = (quoted: string | undefined) => quoted?.replaceAll('"', '');

/** Runs a statement in a span, if its trace is recorded. Statements without a trace are those of polls. */
export function inStatementSpan<Result>(
  { schema, trace }: { schema: string; trace?: string | undefined },
  text: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (trace === undefined || !isTracing()) return run();
  const { operation, table } = summaryOf(text);
  const summary = table === undefined ? operation : `${operation} ${table}`;
  const attributes = {
    'db.system.name': 'postgresql',
    'db.namespace': schema,
    'db.operation.name': operation,
    'db.query.summary': summary,
    'db.collection.name': table,
  };
  return inSpan(summary, { kind: 'client', parent: trace, attributes }, run);
}

/** A connection whose statements have spans, for TypeORM. */
export function spannedClient(
  client: pg.PoolClient,
  scope: { schema: string; trace?: string | undefined },
): pg.PoolClient {
  if (scope.trace === undefined || !isTracing()) return client;
  const query = (text: string, values?: unknown[]) =>
    inStatementSpan(scope, text, () => client.query(text, values));
  return Object.assign(Object.create(client) as pg.PoolClient, { query });
}
