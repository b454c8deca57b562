/** The column of each property of a row. Names of columns are fixed in code and need no quotes. */
export type Columns<Row> = { readonly [Property in keyof Row]-?: string };

/** Alias of the table, which qualifies columns. */
export const alias = 'w';

/** A select list of columns, each under the name of its property. */
export function selectList(columns: Columns<object>): string {
  return Object.entries(columns)
    .map(([property, column]) => `${alias}.${String(column)} AS "${property}"`)
    .join(', ');
}

/** Equality of columns with parameters. @param first number of the first parameter */
export function equals(columns: readonly string[], first = 1): string {
  return columns.map((column, index) => `${alias}.${column} = $${first + index}`).join(' AND ');
}

/** The values of properties of a row, in the order of the columns. */
export function valuesOf(columns: Columns<object>, row: object): unknown[] {
  return Object.keys(columns).map((property) => (row as Record<string, unknown>)[property]);
}

/**
 * The current time in the precision of the columns, `timestamptz(3)`. Storing rounds to milliseconds: a time stored as
 * `now()` may be later than `now()` in the next statement, but never later than this.
 */
export const currentTime = 'now()::timestamptz(3)';

const andAlso = (condition: string | undefined) => (condition === undefined ? '' : ` AND ${condition}`);

/** Claims due and unlocked rows in one statement; concurrent workers claim different rows. */
export function claimDueStatement(claim: {
  name: string;
  key: readonly string[];
  /** A further condition for a claim: SQL over the columns. */
  condition?: string;
  /** Time by which the rows are due: SQL. */
  dueBy?: string;
  order: string;
  assignments: string;
  returning: string;
}): string {
  const { name, key, condition, dueBy = currentTime, order, assignments, returning } = claim;
  return `UPDATE ${name} ${alias} SET ${assignments}
    FROM (
      SELECT ${key.join(', ')} FROM ${name}
      WHERE due_at <= ${dueBy}${andAlso(condition)}
      ORDER BY ${order} LIMIT $1 FOR UPDATE SKIP LOCKED
    ) due
    WHERE ${key.map((column) => `${alias}.${column} = due.${column}`).join(' AND ')}
    RETURNING ${returning}`;
}

/**
 * Claims the longest due row of each site but those of the second parameter, in one statement. The recursion finds the
 * next site by the index of the key, so rows of the excluded sites cost nothing.
 */
export function claimOfOtherTenantsStatement(claim: {
  name: string;
  /** The column of the site comes first. */
  key: readonly string[];
  /** A further condition for a claim: SQL over the columns. */
  condition?: string;
  assignments: string;
  returning: string;
}): string {
  const { name, key, condition, assignments, returning } = claim;
  const [tenant = ''] = key;
  return `WITH RECURSIVE tenants (id) AS (
      (SELECT ${tenant} FROM ${name} ORDER BY ${tenant} LIMIT 1)
      UNION ALL
      SELECT next.id FROM tenants, LATERAL (
        SELECT ${tenant} AS id FROM ${name} WHERE ${tenant} > tenants.id ORDER BY ${tenant} LIMIT 1
      ) next
    ), due AS (
      SELECT oldest.* FROM tenants, LATERAL (
        SELECT ${key.join(', ')} FROM ${name}
        WHERE ${tenant} = tenants.id AND due_at <= ${currentTime}${andAlso(condition)}
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) oldest
      WHERE tenants.id <> ALL($2) LIMIT $1
    )
    UPDATE ${name} ${alias} SET ${assignments} FROM due
    WHERE ${key.map((column) => `${alias}.${column} = due.${column}`).join(' AND ')}
    RETURNING ${returning}`;
}

/** SQL of the time after this delay. @param seconds a number or a parameter */
export const inSeconds = (seconds: number | string) => `now() + make_interval(secs => ${seconds})`;
