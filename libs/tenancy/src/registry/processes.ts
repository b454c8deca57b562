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
 * @param state.uptimeSeconds time since its start
 * @param state.registryVersion version of the registry that it uses; absent for a process that uses none
 */
export async function recordProcess(
  sql: Queryable,
  { id, host, pid, targets, version }: ProcessDescription,
  { uptimeSeconds, registryVersion }: { uptimeSeconds: number; registryVersion?: number | undefined },
): Promise<void> {
  await sql.query(
    `WITH silent AS (
       DELETE FROM processes WHERE id IN (
         SELECT id FROM processes WHERE id < $1 AND seen_at < now() - ${silence} FOR UPDATE SKIP LOCKED
       )
     )
     INSERT INTO processes (id, host, pid, targets, version, started_at, registry_version)
     VALUES ($1, $2, $3, $4, $5, now() - make_interval(secs => $6),
       coalesce($7::bigint, (SELECT version FROM registry_version)))
     ON CONFLICT (id) DO UPDATE SET seen_at = now(), registry_version = excluded.registry_version`,
    [id, host, pid, targets, version, uptimeSeconds, registryVersion ?? null],
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

/**
 * Whether every running process uses the present registry, by its last record. One of a version of the program that
 * does not record it counts as one that does not.
 * @param sql the registry's schema
 */
export async function hasPresentRegistry(sql: Queryable): Promise<boolean> {
  const outdated = await sql.query(
    `SELECT 1 FROM processes JOIN registry_version present ON coalesce(registry_version, 0) < present.version
     WHERE seen_at >= now() - ${silence} LIMIT 1`,
  );
  return outdated.length === 0;
}
