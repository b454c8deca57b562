import type { Queryable } from '@quire/database';
import type { Backoff } from './backoff.js';
import {
  alias,
  claimDueStatement,
  currentTime,
  equals,
  inSeconds,
  selectList,
  valuesOf,
  type Columns,
} from './statements.js';

/** States of work for administrators. `failed`: no attempt is made until it is retried or requested again. */
export const leasedWorkStates = ['pending', 'retry', 'leased', 'failed'] as const;

export type LeasedWorkState = (typeof leasedWorkStates)[number];

/**
 * A table of pending work whose claims are leases with a token: a worker that lost its lease writes nothing. Beside the
 * columns named here it has those of every work table (`due_at`, `attempts`), `state text`, `lease_token text`,
 * `lease_expires_at timestamptz(3)`, `last_error_code text` and `updated_at timestamptz(3)`.
 */
export interface LeasedWorkTableDefinition<Key extends object, Payload extends object> {
  /** Name in statements: qualified where they run in other schemas. */
  name: string;
  /** Columns of the primary key. */
  key: Columns<Key>;
  /** Columns that a lease returns beside the key. */
  payload: Columns<Payload>;
  leaseSeconds: number;
  /** Attempts before work counts as failed. */
  maxAttempts: number;
  /** The delay after a failed attempt. */
  backoff: Backoff;
  /** A column that differs after each request for the same work: a lease completes only the request that it read. */
  version?: keyof Payload & string;
  /** Further assignments of a claim: SQL over the columns. */
  onClaim?: string;
}

/** Work that this process has leased. */
export type Leased<Key extends object, Payload extends object> = Key &
  Payload & { attempts: number; token: string };

const isLeasable = `coalesce(${alias}.lease_expires_at <= ${currentTime}, true)`;

/** The statements of a table of leased work, each built once. */
export class LeasedWorkTable<Key extends object, Payload extends object> {
  /** The columns of a lease, for other statements that lease: each under its property's name. */
  readonly leaseColumns: string;
  private readonly statements: Record<
    | 'claim'
    | 'claimByKey'
    | 'claimUnlessDelayed'
    | 'complete'
    | 'enqueue'
    | 'extend'
    | 'release'
    | 'reschedule',
    string
  >;
  /** Columns that identify the holder of the lease. */
  private readonly held: Columns<object>;
  /** The same, and the version of the request. */
  private readonly unchanged: Columns<object>;

  constructor(readonly definition: LeasedWorkTableDefinition<Key, Payload>) {
    const { name, key, payload, leaseSeconds, version, onClaim } = definition;
    const keys: string[] = Object.values(key);
    const payloadColumns: Record<string, string> = { ...payload };
    this.held = { ...key, token: 'lease_token' };
    this.unchanged = { ...this.held, ...(version && { [version]: payloadColumns[version] }) };
    this.leaseColumns = selectList({ ...key, ...payload, attempts: 'attempts', token: 'lease_token' });
    const extension = `lease_expires_at = ${inSeconds(leaseSeconds)}, due_at = ${inSeconds(leaseSeconds)},
      updated_at = now()`;
    const assignments = [
      `state = 'leased', attempts = ${alias}.attempts + 1, lease_token = gen_random_uuid()::text`,
      extension,
      ...(onClaim === undefined ? [] : [onClaim]),
    ].join(', ');
    const returning = this.leaseColumns;
    const [state, seconds, errorCode] = [1, 2, 3].map((place) => `$${Object.keys(this.held).length + place}`);
    const claimByKey = `UPDATE ${name} ${alias} SET ${assignments} WHERE ${equals(keys)} AND ${isLeasable}`;
    this.statements = {
      claim: claimDueStatement({
        name,
        key: keys,
        condition: "state <> 'failed'",
        order: 'due_at',
        assignments,
        returning,
      }),
      claimByKey: `${claimByKey} RETURNING ${returning}`,
      claimUnlessDelayed: `${claimByKey} AND (${alias}.state <> 'retry' OR ${alias}.due_at <= ${currentTime})
        RETURNING ${returning}`,
      complete: `DELETE FROM ${name} ${alias} WHERE ${equals(Object.values(this.unchanged))} RETURNING 1`,
      enqueue: `INSERT INTO ${name} (${keys.join(', ')}) VALUES (${keys.map((_, index) => `$${index + 1}`).join(', ')})
        ON CONFLICT (${keys.join(', ')}) DO UPDATE SET state = 'pending', attempts = 0,
          due_at = least(${name}.due_at, now()), updated_at = now()
        WHERE ${name}.lease_token IS NULL`,
      release: `UPDATE ${name} ${alias} SET state = 'pending', attempts = 0, due_at = ${state}, lease_token = NULL,
        lease_expires_at = NULL, updated_at = now() WHERE ${equals(Object.values(this.held))}`,
      extend: `UPDATE ${name} ${alias} SET ${extension} WHERE ${equals(Object.values(this.held))}
        RETURNING ${returning}`,
      reschedule: `UPDATE ${name} ${alias} SET state = ${state}, due_at = ${inSeconds(`${seconds}`)},
        last_error_code = ${errorCode}, lease_token = NULL, lease_expires_at = NULL, updated_at = now()
        WHERE ${equals(Object.values(this.held))}`,
    };
  }

  /** Leases due work. @param limit maximum number of rows */
  claim(sql: Queryable, limit: number): Promise<Leased<Key, Payload>[]> {
    return sql.query<Leased<Key, Payload>>({ prepared: true, text: this.statements.claim, values: [limit] });
  }

  /** Leases one row, due or not. @returns undefined when another worker holds its lease, or there is none */
  async claimByKey(sql: Queryable, key: Key): Promise<Leased<Key, Payload> | undefined> {
    const [row] = await sql.query<Leased<Key, Payload>>(
      this.statements.claimByKey,
      valuesOf(this.definition.key, key),
    );
    return row;
  }

  /** The same, except work that waits after a failed attempt. */
  async claimUnlessDelayed(sql: Queryable, key: Key): Promise<Leased<Key, Payload> | undefined> {
    const [row] = await sql.query<Leased<Key, Payload>>(
      this.statements.claimUnlessDelayed,
      valuesOf(this.definition.key, key),
    );
    return row;
  }

  /** Makes work without further columns due now, also failed work. Work that is leased stays with its holder. */
  async enqueue(sql: Queryable, key: Key): Promise<void> {
    await sql.query(this.statements.enqueue, valuesOf(this.definition.key, key));
  }

  /** Ends a lease whose work goes on, now unless a time is given. Does nothing when the lease is lost. */
  async release(sql: Queryable, leased: Leased<Key, Payload>, dueAt = new Date()): Promise<void> {
    await sql.query(this.statements.release, [...valuesOf(this.held, leased), dueAt]);
  }

  /** Ends a lease whose work was not tried; it is due again later. Does nothing when the lease is lost. */
  postpone(sql: Queryable, leased: Leased<Key, Payload>, afterSeconds: number): Promise<void> {
    return this.release(sql, leased, new Date(Date.now() + afterSeconds * 1000));
  }

  /**
   * Deletes work that is done. Runs in the transaction that writes its result.
   * @returns false when the lease is lost or the work was requested again: then nothing may be written
   */
  async complete(sql: Queryable, leased: Leased<Key, Payload>): Promise<boolean> {
    const deleted = await sql.query({
      prepared: true,
      text: this.statements.complete,
      values: valuesOf(this.unchanged, leased),
    });
    return deleted.length > 0;
  }

  /** Extends a lease and reads the work again. @returns undefined when the lease is lost */
  async extend(sql: Queryable, leased: Leased<Key, Payload>): Promise<Leased<Key, Payload> | undefined> {
    const [row] = await sql.query<Leased<Key, Payload>>(this.statements.extend, valuesOf(this.held, leased));
    return row;
  }

  /** Makes failed work due again by the back-off, or fails it for good. Does nothing when the lease is lost. */
  async reschedule(sql: Queryable, leased: Leased<Key, Payload>, errorCode: string): Promise<void> {
    const { maxAttempts, backoff } = this.definition;
    const hasFailed = leased.attempts >= maxAttempts;
    const state: LeasedWorkState = hasFailed ? 'failed' : 'retry';
    await sql.query(this.statements.reschedule, [
      ...valuesOf(this.held, leased),
      state,
      hasFailed ? 0 : backoff(leased.attempts),
      errorCode,
    ]);
  }
}

/** Declares a table of leased work, and builds its statements. */
export function defineLeasedWorkTable<Key extends object, Payload extends object>(
  definition: LeasedWorkTableDefinition<Key, Payload>,
): LeasedWorkTable<Key, Payload> {
  return new LeasedWorkTable(definition);
}
