import type { Queryable } from '@quire/database';
import { currentTime } from './statements.js';
import { LeasedWorkTable } from './leased-work-table.js';

/** The pending work of a table. */
export interface Backlog {
  /** All rows: due, claimed, or with a later time. */
  count: number;
  /** Rows whose time has come. */
  due: number;
  /** Rows without further attempts; 0 for tables whose attempts do not end. */
  failed: number;
  /** Time for which the oldest due row has been due. */
  oldestSeconds: number;
  /** The largest number of attempts of a row. */
  maxAttempts: number;
}

/** A table of `defineWorkTable` or `defineLeasedWorkTable`. */
export interface CountedTable {
  readonly definition: { name: string };
}

/** Name of a table without its schema. */
export const workName = ({ definition }: CountedTable): string =>
  definition.name.split('.').at(-1) ?? definition.name;

/**
 * Counts the pending work of a table.
 * @param options.tenant counts the work of one site; the table has a column `tenant_id`
 */
export async function readBacklog(
  sql: Queryable,
  table: CountedTable,
  { tenant }: { tenant?: string | undefined } = {},
): Promise<Backlog> {
  const isFailed = table instanceof LeasedWorkTable ? "state = 'failed'" : 'false';
  const isDue = `NOT ${isFailed} AND due_at <= ${currentTime}`;
  const [row] = await sql.query<Backlog>(
    `SELECT count(*)::int AS count,
       count(*) FILTER (WHERE ${isDue})::int AS due,
       count(*) FILTER (WHERE ${isFailed})::int AS failed,
       coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE ${isDue})), 0)::double precision
         AS "oldestSeconds",
       coalesce(max(attempts), 0)::int AS "maxAttempts"
     FROM ${table.definition.name}${tenant === undefined ? '' : ' WHERE tenant_id = $1'}`,
    tenant === undefined ? [] : [tenant],
  );
  if (!row) throw new Error(`No counts of ${table.definition.name}`);
  return row;
}

/** The backlog of parts of a table, in several databases or sites. */
export function sumOfBacklogs(parts: readonly Backlog[]): Backlog {
  const total = (count: 'count' | 'due' | 'failed') => parts.reduce((all, part) => all + part[count], 0);
  const largest = (name: 'oldestSeconds' | 'maxAttempts') => Math.max(0, ...parts.map((part) => part[name]));
  return {
    count: total('count'),
    due: total('due'),
    failed: total('failed'),
    oldestSeconds: largest('oldestSeconds'),
    maxAttempts: largest('maxAttempts'),
  };
}
