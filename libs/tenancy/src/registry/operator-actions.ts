import { cursorScope, KeysetPage, Parameters, type Queryable } from '@quire/database';
import { everyIdOf } from './renames.js';

/** A change by an operator to the installation, in contrast to the audit log of a site. */
export interface OperatorAction {
  /**
   * The channel and the name: `cli:<user of the operating system>`, or `operator:<name of the token>`; `system:<sweep>`
   * for what follows by itself.
   */
  actor: string;
  /** Name of the command: `queue retry`. */
  action: string;
  /** What it changed: the name of a queue, or the id of a site, a message or a token. */
  target: string;
  /** Arguments of the action. */
  detail: Readonly<Record<string, string>>;
  /** Number of changed objects. */
  count: number;
}

/** An action in the log. */
export interface RecordedOperatorAction extends OperatorAction {
  id: string;
  /** ISO 8601. */
  at: string;
}

/** Appends an action to the registry's log. @param sql the registry's schema, or a transaction of the change */
export async function recordOperatorAction(
  sql: Queryable,
  { actor, action, target, detail, count }: OperatorAction,
): Promise<void> {
  await sql.query(
    'INSERT INTO operator_actions (actor, action, target, detail, count) VALUES ($1, $2, $3, $4, $5)',
    [actor, action, target, JSON.stringify(detail), count],
  );
}

/** The last actions, the newest first. @param limit maximum number */
export function listOperatorActions(
  sql: Queryable,
  limit: number,
): Promise<(OperatorAction & { at: string })[]> {
  return sql.query(
    'SELECT at, actor, action, target, detail, count FROM operator_actions ORDER BY id DESC LIMIT $1',
    [limit],
  );
}

/**
 * A page of the actions, the newest first.
 * @param sql the registry's schema
 * @param query.target only the actions on this site, under any of its ids, or on this queue, message or token
 * @throws QuireError INVALID_CURSOR
 */
export async function selectOperatorActionPage(
  sql: Queryable,
  query: { target?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<{ items: RecordedOperatorAction[]; nextCursor?: string }> {
  const columns = {
    column: 'a.id',
    idColumn: 'a.id::text',
    direction: 'desc',
    cast: 'bigint',
    neverNull: true,
  } as const;
  const page = new KeysetPage(
    columns,
    cursorScope({ list: 'operator actions', target: query.target }),
    query,
  );
  const parameters = new Parameters();
  const conditions = [page.condition(parameters)];
  if (query.target !== undefined)
    conditions.push(`target = ANY(${parameters.add(await everyIdOf(sql, query.target))})`);
  const rows = await sql.query<RecordedOperatorAction & { number: number }>(
    `SELECT a.id::text AS id, a.id AS number, at, actor, action, target, detail, count FROM operator_actions a
     WHERE ${conditions.join(' AND ')} ${page.order(parameters)}`,
    parameters.values,
  );
  const { items, ...end } = page.cut(rows, ({ id, number }) => ({ value: number, id }));
  return { items: items.map(({ number: _, ...action }) => action), ...end };
}
