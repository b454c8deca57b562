import type { Queryable } from '@quire/database';
import type { Backoff } from './backoff.js';
import {
  alias,
  claimDueStatement,
  claimOfOtherTenantsStatement,
  currentTime,
  equals,
  inSeconds,
  selectList,
  valuesOf,
  type Columns,
} from './statements.js';

/**
 * A table of pending work. Beside the columns named here it has `due_at timestamptz(3)`, the time of the next attempt
 * (while the work is claimed: the end of the claim), and `attempts integer DEFAULT 0`, the claims since it was
 * requested.
 */
export interface WorkTableDefinition<Key extends object, Payload extends object> {
  /** Name in statements: qualified where they run in other schemas. */
  name: string;
  /** Columns of the primary key. */
  key: Columns<Key>;
  /** Columns that a claim returns beside the key. */
  payload: Columns<Payload>;
  /** Duration of a claim. A worker that dies delays its work by no more. */
  leaseSeconds: number;
  /** The delay after a failed attempt. */
  backoff: Backoff;
  /**
   * A column that differs after each request for the same work. If given, work that was requested again since its claim
   * is neither completed nor rescheduled by the claim: the due time of the request remains.
   */
  version?: (keyof Payload & string) | 'attempts';
  /** Order of claims, as SQL over the columns: the longest due first unless given. */
  order?: string;
  /** The effect of a request for pending work: SQL after `DO`, over `w` (the row) and `excluded`. */
  onConflict?: string;
}

/** Work that this process has claimed. */
export type Claimed<Key extends object, Payload extends object> = Key & Payload & { attempts: number };

/** The result of a table's claim. */
export type ClaimOf<Table extends { claim(...args: never[]): Promise<object[]> }> = Awaited<
  ReturnType<Table['claim']>
>[number];

/** A part of a table for a runner: work with certain values in columns of the key. */
export type WorkLane<Key extends object, Payload extends object> = Pick<
  WorkTable<Key, Payload>,
  'claim' | 'claimOfOtherTenants' | 'reschedule' | 'postpone'
>;

/** Resets the attempts. The earlier due time wins. */
const requestAgain = `UPDATE SET attempts = 0, due_at = least(${alias}.due_at, excluded.due_at)`;

/**
 * The statements of a table of pending work, each built once. A claim increments `attempts` and moves `due_at` to its
 * end, so work whose worker died is due again by itself. Any number of workers may claim at once.
 */
export class WorkTable<Key extends object, Payload extends object> {
  private readonly statements: Record<
    | 'enqueue'
    | 'claim'
    | 'claimOfOtherTenants'
    | 'claimOverdue'
    | 'claimByKey'
    | 'complete'
    | 'reschedule'
    | 'cancel'
    | 'cancelUnclaimed',
    string
  >;
  /** Columns that must be unchanged since the claim. */
  private readonly unchanged: Columns<object>;
  /** The parts of a claim of due rows. */
  private readonly claimOfDue: Parameters<typeof claimDueStatement>[0];

  constructor(readonly definition: WorkTableDefinition<Key, Payload>) {
    const { name, key, payload, leaseSeconds, version, order = 'due_at' } = definition;
    const columns: Record<string, string> = { ...key, ...payload };
    const versionColumn = version && (columns[version] ?? version);
    this.unchanged = { ...key, ...(version && { [version]: versionColumn }) };
    const keys: string[] = Object.values(key);
    // A request does not write the version: its default or `onConflict` does.
    const requested = Object.values(columns)
      .filter((column) => column !== versionColumn)
      .join(', ');
    const claim = {
      assignments: `attempts = ${alias}.attempts + 1, due_at = ${inSeconds(leaseSeconds)}`,
      returning: `${selectList(columns)}, ${alias}.attempts`,
    };
    this.claimOfDue = { name, key: keys, order, ...claim };
    const isUnchanged = equals(Object.values(this.unchanged));
    const [attempts, seconds] = [1, 2].map((place) => `$${Object.keys(this.unchanged).length + place}`);
    this.statements = {
      enqueue: `INSERT INTO ${name} AS ${alias} (${requested}, due_at)
        SELECT ${requested}, ${inSeconds('$2')} FROM json_populate_recordset(NULL::${name}, $1)
        ON CONFLICT (${keys.join(', ')}) DO ${definition.onConflict ?? requestAgain}`,
      claim: claimDueStatement(this.claimOfDue),
      claimOfOtherTenants: claimOfOtherTenantsStatement({ name, key: keys, ...claim }),
      claimOverdue: claimDueStatement({
        ...this.claimOfDue,
        dueBy: `${currentTime} - make_interval(secs => $2)`,
      }),
      claimByKey: `UPDATE ${name} ${alias} SET ${claim.assignments} WHERE ${equals(keys)} RETURNING ${claim.returning}`,
      complete: `DELETE FROM ${name} ${alias} WHERE ${isUnchanged} RETURNING 1`,
      reschedule: `UPDATE ${name} ${alias} SET attempts = ${attempts}, due_at = ${inSeconds(`${seconds}`)}
        WHERE ${isUnchanged} RETURNING 1`,
      cancel: `DELETE FROM ${name} ${alias} WHERE ${equals(keys)} RETURNING 1`,
      cancelUnclaimed: `DELETE FROM ${name} ${alias} USING json_populate_recordset(NULL::${name}, $1) named
        WHERE ${keys.map((column) => `${alias}.${column} = named.${column}`).join(' AND ')}
          AND ${alias}.attempts = 0 RETURNING 1`,
    };
  }

  /**
   * Requests work, in one statement. Pending work is requested again (see `onConflict`).
   * @param options.afterSeconds delay; due immediately unless given
   */
  async enqueue(
    sql: Queryable,
    work: readonly (Key & Partial<Payload>)[],
    { afterSeconds = 0 }: { afterSeconds?: number } = {},
  ): Promise<void> {
    const { key, payload } = this.definition;
    const rows = work.map((row) => byColumn({ ...key, ...payload }, row));
    await run(sql, this.statements.enqueue, [JSON.stringify(rows), afterSeconds]);
  }

  /** Claims due work. @param limit maximum number of rows */
  claim(sql: Queryable, limit: number): Promise<Claimed<Key, Payload>[]> {
    return run<Claimed<Key, Payload>>(sql, this.statements.claim, [limit]);
  }

  /**
   * Claims the longest due row of each site but these, so that a site with much due work does not delay others. Only
   * for tables whose key begins with the site.
   * @param limit maximum number of rows
   */
  claimOfOtherTenants(
    sql: Queryable,
    limit: number,
    tenantIds: readonly string[],
  ): Promise<Claimed<Key, Payload>[]> {
    return run<Claimed<Key, Payload>>(sql, this.statements.claimOfOtherTenants, [limit, tenantIds]);
  }

  /** Claims work that has been due for some time. @param limit maximum number of rows */
  claimOverdue(sql: Queryable, seconds: number, limit: number): Promise<Claimed<Key, Payload>[]> {
    return run<Claimed<Key, Payload>>(sql, this.statements.claimOverdue, [limit, seconds]);
  }

  /** Claims due work with these values in columns of the key. @param limit maximum number of rows */
  claimWith(sql: Queryable, values: Partial<Key>, limit: number): Promise<Claimed<Key, Payload>[]> {
    const { condition, given } = this.conditionOf(values, 2);
    return run<Claimed<Key, Payload>>(sql, claimDueStatement({ ...this.claimOfDue, condition }), [
      limit,
      ...given,
    ]);
  }

  /**
   * The work with these values in columns of the key, for a runner of its own: it does not wait for work with other
   * values.
   */
  lane(values: Partial<Key>): WorkLane<Key, Payload> {
    const { condition, given } = this.conditionOf(values, 3);
    const ofOtherTenants = claimOfOtherTenantsStatement({ ...this.claimOfDue, condition });
    return {
      claim: (sql, limit) => this.claimWith(sql, values, limit),
      claimOfOtherTenants: (sql, limit, tenantIds) => run(sql, ofOtherTenants, [limit, tenantIds, ...given]),
      reschedule: (sql, claimed, options) => this.reschedule(sql, claimed, options),
      postpone: (sql, claimed, afterSeconds) => this.postpone(sql, claimed, afterSeconds),
    };
  }

  /** Claims one row, due or not and claimed or not. @returns undefined when there is none */
  async claimByKey(sql: Queryable, key: Key): Promise<Claimed<Key, Payload> | undefined> {
    const values = valuesOf(this.definition.key, key);
    const [row] = await run<Claimed<Key, Payload>>(sql, this.statements.claimByKey, values);
    return row;
  }

  /** Deletes work that is done. @returns false when it was requested again or deleted */
  complete(sql: Queryable, claimed: Claimed<Key, Payload>): Promise<boolean> {
    return this.affects(sql, this.statements.complete, valuesOf(this.unchanged, claimed));
  }

  /** Makes work due again later that was not tried. @returns false when it was requested again or deleted */
  postpone(sql: Queryable, claimed: Claimed<Key, Payload>, afterSeconds: number): Promise<boolean> {
    return this.reschedule(sql, claimed, { attempts: 0, afterSeconds });
  }

  /**
   * Makes work due again later: by the back-off of its attempts unless a delay is given.
   * @param options.attempts failed attempts that count for the next delay: 0 for work that succeeded and recurs
   * @returns false when it was requested again or deleted
   */
  reschedule(
    sql: Queryable,
    claimed: Claimed<Key, Payload>,
    {
      attempts = claimed.attempts,
      afterSeconds = this.definition.backoff(claimed.attempts),
    }: RescheduleOptions = {},
  ): Promise<boolean> {
    return this.affects(sql, this.statements.reschedule, [
      ...valuesOf(this.unchanged, claimed),
      attempts,
      afterSeconds,
    ]);
  }

  /** Deletes work, claimed or not. @returns whether there was any */
  cancel(sql: Queryable, key: Key): Promise<boolean> {
    return this.affects(sql, this.statements.cancel, valuesOf(this.definition.key, key));
  }

  /** Deletes work that no worker has claimed since it was requested. @returns the number of deleted rows */
  async cancelUnclaimed(sql: Queryable, keys: readonly Key[]): Promise<number> {
    const rows = keys.map((key) => byColumn(this.definition.key, key));
    return (await run(sql, this.statements.cancelUnclaimed, [JSON.stringify(rows)])).length;
  }

  /** Equality of columns of the key with these values, as parameters from this number on. */
  private conditionOf(values: Partial<Key>, first: number): { condition: string; given: unknown[] } {
    const columns = Object.entries<string>(this.definition.key).filter(([property]) => property in values);
    const condition = columns.map(([, column], index) => `${column} = $${first + index}`).join(' AND ');
    return { condition, given: valuesOf(Object.fromEntries(columns), values) };
  }

  private async affects(sql: Queryable, text: string, values: unknown[]): Promise<boolean> {
    return (await run(sql, text, values)).length > 0;
  }
}

/** Runs a statement of a table, which has few texts: connections keep their plans. */
function run<Row extends object>(sql: Queryable, text: string, values: unknown[]): Promise<Row[]> {
  return sql.query<Row>({ prepared: true, text, values });
}

/** A row as JSON that `json_populate_recordset` reads. */
function byColumn(columns: Columns<object>, row: object): object {
  const values = valuesOf(columns, row);
  return Object.fromEntries(Object.values(columns).map((column, index) => [column, values[index]]));
}

export interface RescheduleOptions {
  attempts?: number;
  afterSeconds?: number;
}

/** Declares a table of pending work, and builds its statements. */
export function defineWorkTable<Key extends object, Payload extends object>(
  definition: WorkTableDefinition<Key, Payload>,
): WorkTable<Key, Payload> {
  return new WorkTable(definition);
}
