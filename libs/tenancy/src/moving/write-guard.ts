import { setTimeout as wait } from 'node:timers/promises';
import {
  hasSqlState,
  identifier,
  literal,
  sqlState,
  type Queryable,
  type SchemaDefinition,
  type TransactionalDatabase,
} from '@quire/database';

/** The function of the triggers, and the trigger of rows. */
const guard = 'reject_writes';
const truncateGuard = 'reject_truncate';
/** Maximum time that writers of a table queue behind the guard, which waits for an earlier one. */
const lockTimeoutMs = 2_000;
const lockRetryMs = 100;
/** Time after which a further attempt is given up. */
const maxLockMs = 10_000;

const selectNames = `
  SELECT relname::text AS name FROM pg_class
  WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r' ORDER BY relname`;

/** A guarded site. */
export interface WriteGuard {
  /** When the site accepts writes again, by the clock of its database; `infinity` for a site that has moved. */
  until: string;
}

/**
 * Rejects writes to the tables of a site for some time: requests fail with 503, and reads go on. When it returns, no
 * transaction that began before can still commit a change of a row. The guard expires also when this process ends.
 * @param db the schema of the site, as the role that owns it
 * @param seconds time until it expires
 * @throws the error of PostgreSQL, 55P03 when an earlier transaction keeps a table locked until it expires
 */
export async function guardWrites(db: TransactionalDatabase, seconds: number): Promise<WriteGuard> {
  const [row] = await db.query<{ until: string }>(
    'SELECT (clock_timestamp() + make_interval(secs => $1))::text AS until',
    [seconds],
  );
  const until = row?.until ?? 'infinity';
  const endsAt = performance.now() + seconds * 1000;
  await setEnd(db, until);
  // A transaction that began before may create a table as long as another one of its tables has no guard.
  let tables: string;
  do {
    tables = (await selectTables(db)).join();
    await whenUnlocked(endsAt, () => db.query(onEachTable(createTriggers)));
  } while ((await selectTables(db)).join() !== tables);
  return { until };
}

/**
 * Makes the guard of a site permanent, before another copy of the site takes its place: this copy never changes again.
 * @throws Error when the guard has expired, and the site may have changed
 */
export async function sealWrites(db: TransactionalDatabase, { until }: WriteGuard): Promise<void> {
  const seal = async (tx: Queryable) => {
    await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    // Statements that have met the guard before it expired end first.
    const tables = await selectTables(tx);
    await tx.query(`LOCK TABLE ${tables.map(identifier).join(', ')} IN SHARE MODE`);
    const [row] = await tx.query<{ isInTime: boolean }>('SELECT clock_timestamp() < $1 AS "isInTime"', [
      until,
    ]);
    if (!row?.isInTime) throw new Error('The site accepts writes again: the time for its copy has ended');
    await setEnd(tx, 'infinity');
  };
  await whenUnlocked(performance.now() + maxLockMs, () => db.transaction(seal));
}

/** Lets a site be written again, at once; then removes the triggers. */
export async function liftWriteGuard(db: TransactionalDatabase): Promise<void> {
  const guarded = await db.query('SELECT 1 WHERE to_regproc($1) IS NOT NULL', [guard]);
  if (guarded.length === 0) return;
  await setEnd(db, '-infinity');
  await whenUnlocked(performance.now() + maxLockMs, () => db.query(onEachTable(dropTriggers)));
  await db.query(`DROP FUNCTION IF EXISTS ${guard}`);
}

/** The definition of a schema without the guard, which is no part of the site. */
export function withoutWriteGuard(definition: SchemaDefinition): SchemaDefinition {
  const isGuard = (text: string) =>
    new RegExp(`^CREATE (TRIGGER|FUNCTION) (${guard}|${truncateGuard})\\b`).test(text);
  return {
    ...definition,
    createFunctions: definition.createFunctions.filter((text) => !isGuard(text)),
    triggers: definition.triggers.filter(({ text }) => !isGuard(text)),
  };
}

async function setEnd(tx: Queryable, until: string): Promise<void> {
  await tx.query(`
    CREATE OR REPLACE FUNCTION ${guard}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF clock_timestamp() < ${literal(until)}::timestamptz THEN
        RAISE EXCEPTION 'the site is moving' USING ERRCODE = ${literal(sqlState.readOnlySite)};
      END IF;
      IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
      RETURN NEW;
    END
    $$`);
}

/**
 * The triggers of a table. Creating them waits for the writers of the table; further ones meet the triggers, also in
 * transactions that began before.
 */
const createTriggers = `
  EXECUTE format('CREATE OR REPLACE TRIGGER ${guard} BEFORE INSERT OR UPDATE OR DELETE ON %I
    FOR EACH ROW EXECUTE FUNCTION ${guard}()', name);
  EXECUTE format('CREATE OR REPLACE TRIGGER ${truncateGuard} BEFORE TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION ${guard}()', name);`;
const dropTriggers = `
  EXECUTE format('DROP TRIGGER IF EXISTS ${guard} ON %I', name);
  EXECUTE format('DROP TRIGGER IF EXISTS ${truncateGuard} ON %I', name);`;

/** Runs statements for each table in a transaction of its own: with one lock at a time, none waits in a circle. */
const onEachTable = (statements: string) => `DO $do$
DECLARE
  name text;
BEGIN
  FOR name IN ${selectNames} LOOP
    PERFORM set_config('lock_timeout', '${lockTimeoutMs}', true);
    ${statements}
    COMMIT;
  END LOOP;
END $do$`;

/** Repeats work until a time while others have locked a table. */
async function whenUnlocked(endsAt: number, work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!hasSqlState(error, sqlState.lockNotAvailable, sqlState.deadlock) || performance.now() > endsAt)
        throw error;
      await wait(lockRetryMs);
    }
  }
}

async function selectTables(sql: Queryable): Promise<string[]> {
  return (await sql.query<{ name: string }>(selectNames)).map(({ name }) => name);
}
