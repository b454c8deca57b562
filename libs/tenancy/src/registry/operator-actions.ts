import type { Queryable } from '@quire/database';

/** A change by an operator to the installation, in contrast to the audit log of a site. */
export interface OperatorAction {
  /** The channel and the name: `cli:<user of the operating system>`, or `operator:<name of the token>`. */
  actor: string;
  /** Name of the command: `queue retry`. */
  action: string;
  /** What it changed: the name of a queue, or the id of a message or a token. */
  target: string;
  /** Arguments of the action. */
  detail: Readonly<Record<string, string>>;
  /** Number of changed objects. */
  count: number;
}

/** Appends an action to the registry's log. @param sql the registry's schema */
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
