import type { Queryable } from '@quire/database';

/** A process of the installation, as it describes itself. */
export interface ProcessDescription {
  /** A ULID of its start. */
  id: string;
  /** Name of its host or container. */
  host: string;
  /** Id of the process on its host. */
  pid: number;
  targets: readonly string[];
  version: string;
}

/** A running process. Times are ISO 8601, by the clock of the database. */
export interface RecordedProcess extends ProcessDescription {
  startedAt: string;
  seenAt: string;
}

/** A process that was not seen for this time does not run any more. */
const silence = `interval '60 seconds'`;

/**
 * Records that a process runs, and removes those that were not seen for a minute. A process removes only ones that
 * started before it: after an outage of the database, when none was seen, two never wait for each other.
 * @param sql the registry's schema
 * @param uptimeSeconds time since its start
 */
export async function recordProcess(
  sql: Queryable,
  { id, host, pid, targets, version }: ProcessDescription,
  uptimeSeconds: number,
): Promise<void> {
  await sql.query(
    `WITH silent AS (
       DELETE FROM processes WHERE id IN (
         SELECT id FROM processes WHERE id < $1 AND seen_at < now() - ${silence} FOR UPDATE SKIP LOCKED
       )
     )
     INSERT INTO processes (id, host, pid, targets, version, started_at)
     VALUES ($1, $2, $3, $4, $5, now() - make_interval(secs => $6))
     ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
    [id, host, pid, targets, version, uptimeSeconds],
  );
}

/** Removes a process that ends. */
export async function deleteProcess(sql: Queryable, id: string): Promise<void> {
  await sql.query('DELETE FROM processes WHERE id = $1', [id]);
}

/** The processes that were seen within a minute, the oldest first. */
export function listProcesses(sql: Queryable): Promise<RecordedProcess[]> {
  return sql.query(
    `SELECT id, host, pid, targets, version, started_at AS "startedAt", seen_at AS "seenAt"
     FROM processes WHERE seen_at >= now() - ${silence} ORDER BY id`,
  );
}
