import { create, toJson, type DescMessage, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import { currentTrace, identifier, type Migration, type Parameters, type Queryable } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { ulid } from '@quire/values';
import type { JobDeclaration } from '../declare/declare-job.js';
import { columnsOfGroups, tenantOfMessage, type MessageGroup } from './claim-messages.js';

/** A message in the outbox: written in the transaction of its change. */
export interface OutboxRow {
  /** ULID, also the id of the job, so that sending twice adds one job. */
  id: string;
  job: string;
  /** Site of the message; null for a message without one. */
  tenantId: string | null;
  message: JsonValue;
  /** Due time of the job; null for an immediate job. */
  dueAt: Date | null;
}

/** The outbox is in a service's shared schema: one table for all tenants of a database. */
export const outboxMigration: Migration = {
  name: '0001-outbox',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE outbox (
        id text PRIMARY KEY,
        job text NOT NULL,
        message json NOT NULL,
        due_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  },
};

/** Rows that a queue rejected have the time and the reason, and are not claimed. */
export const outboxFailureMigration: Migration = {
  name: '0002-outbox-failure',
  up: async (sql) => {
    await sql.query('ALTER TABLE outbox ADD COLUMN failed_at timestamptz(3), ADD COLUMN failure text');
  },
};

/** The site of each message, and pending messages by site and job: the order in which they are claimed. */
export const outboxTenantMigration: Migration = {
  name: '0003-outbox-tenant',
  up: async (sql) => {
    await sql.query('ALTER TABLE outbox ADD COLUMN tenant_id text');
    await sql.query(
      `CREATE INDEX outbox_tenant_job_idx ON outbox ((${tenantOfMessage}), (job COLLATE "C"), id) WHERE failed_at IS NULL`,
    );
  },
};

/**
 * The trace of the request that wrote a message, so that the job continues it. The default fills it in where a trigger
 * writes the row, and where the outbox is a part of a larger statement.
 */
export const outboxTraceMigration: Migration = {
  name: '0004-outbox-trace',
  up: async (sql) => {
    await sql.query('ALTER TABLE outbox ADD COLUMN trace text');
    await sql.query(`ALTER TABLE outbox ALTER COLUMN trace SET DEFAULT ${currentTrace}`);
  },
};

/** Converts a message to a row, as ProtoJSON. @throws when a field does not have its declared type */
export function outboxRow<Message extends DescMessage>(
  job: JobDeclaration<Message>,
  message: MessageInitShape<Message>,
  options: { dueAt?: Date } = {},
): OutboxRow {
  const json = toJson(job.message, create(job.message, message));
  return {
    id: ulid(),
    job: job.name,
    tenantId: tenantIdOf(json),
    message: json,
    dueAt: options.dueAt ?? null,
  };
}

function tenantIdOf(message: JsonValue): string | null {
  const { tenantId } = message as { tenantId?: JsonValue };
  return typeof tenantId === 'string' ? tenantId : null;
}

/**
 * The text of an INSERT into a service's outbox, as a part of a larger statement: one row if `from` (a table or a WITH
 * query) has one, none if it has none.
 */
export function outboxInsert(service: string, row: OutboxRow, parameters: Parameters, from: string): string {
  const values = [
    parameters.add(row.id, 'text'),
    parameters.add(row.job, 'text'),
    parameters.add(row.tenantId, 'text'),
    parameters.add(JSON.stringify(row.message), 'json'),
    parameters.add(row.dueAt?.toISOString() ?? null, 'timestamptz'),
  ];
  return `INSERT INTO ${identifier(sharedSchema(service))}.outbox (id, job, tenant_id, message, due_at) SELECT ${values.join(', ')} FROM ${from}`;
}

/** Writes a message into a service's outbox, in the transaction of the change. */
export async function sendMessage(tx: Queryable, service: string, row: OutboxRow): Promise<void> {
  await sendMessages(tx, service, [row]);
}

/** Writes messages into a service's outbox in one statement, in the transaction of the change. */
export async function sendMessages(
  tx: Queryable,
  service: string,
  rows: readonly OutboxRow[],
): Promise<void> {
  await tx.query(
    `INSERT INTO ${identifier(sharedSchema(service))}.outbox (id, job, tenant_id, message, due_at, trace)
     SELECT *, $6::text FROM unnest($1::text[], $2::text[], $3::text[], $4::json[], $5::timestamptz[])`,
    [
      rows.map(({ id }) => id),
      rows.map(({ job }) => job),
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ message }) => JSON.stringify(message)),
      rows.map(({ dueAt }) => dueAt?.toISOString() ?? null),
      tx.trace ?? null,
    ],
  );
}

/** Names of other jobs with pending messages. */
export async function unknownJobs(sql: Queryable, jobs: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ job: string }>(
    'SELECT DISTINCT job FROM outbox WHERE job <> ALL($1) ORDER BY job LIMIT 10',
    [jobs],
  );
  return rows.map(({ job }) => job);
}

export async function deleteMessages(sql: Queryable, ids: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM outbox WHERE id = ANY($1)', [ids]);
}

/** Marks a message as failed: it stays in the outbox until an operator retries or deletes it. */
export async function failMessage(sql: Queryable, id: string, failure: string): Promise<void> {
  await sql.query('UPDATE outbox SET failed_at = now(), failure = $2 WHERE id = $1', [id, failure]);
}

/** A message that a queue rejected. */
export interface FailedMessage {
  id: string;
  job: string;
  tenant: string | null;
  failedAt: string;
  failure: string;
}

/** The failed messages, the oldest first. */
export function selectFailedMessages(sql: Queryable, limit: number): Promise<FailedMessage[]> {
  return sql.query<FailedMessage>(
    `SELECT id, job, message ->> 'tenantId' AS tenant, failed_at AS "failedAt", failure
     FROM outbox WHERE failed_at IS NOT NULL ORDER BY failed_at, id LIMIT $1`,
    [limit],
  );
}

/** Makes a failed message pending again. @returns whether there was one */
export async function retryMessage(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql.query(
    'UPDATE outbox SET failed_at = NULL, failure = NULL WHERE id = $1 AND failed_at IS NOT NULL RETURNING id',
    [id],
  );
  return rows.length > 0;
}

/** Deletes a failed message. @returns whether there was one */
export async function deleteFailedMessage(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql.query('DELETE FROM outbox WHERE id = $1 AND failed_at IS NOT NULL RETURNING id', [
    id,
  ]);
  return rows.length > 0;
}

/**
 * Numbers of pending messages by job, with the age of the oldest in seconds.
 * @param paused groups whose messages have no age: they wait because an operator wants it
 */
export function countMessagesByJob(
  sql: Queryable,
  paused: readonly MessageGroup[] = [],
): Promise<{ job: string; count: number; oldestSeconds: number }[]> {
  return sql.query(
    `SELECT job, count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at) FILTER (
         WHERE (${tenantOfMessage}, job) NOT IN (SELECT * FROM unnest($1::text[], $2::text[]))
       )), 0)::double precision AS "oldestSeconds"
     FROM outbox WHERE failed_at IS NULL GROUP BY job`,
    columnsOfGroups(paused),
  );
}

/** SQL of the site of a message. A row of an earlier version has it only in the message. */
const tenantOfRow = `coalesce(tenant_id, message ->> 'tenantId')`;

/** Numbers of pending messages of these jobs by site. */
export function countMessagesByTenant(
  sql: Queryable,
  jobs: readonly string[],
): Promise<{ tenant: string | null; count: number }[]> {
  return sql.query(
    `SELECT ${tenantOfRow} AS tenant, count(*)::int AS count
     FROM outbox WHERE failed_at IS NULL AND job = ANY($1) GROUP BY 1`,
    [jobs],
  );
}

/** Deletes the pending messages of these jobs of a site. @returns their number */
export async function deleteMessagesOfTenant(
  sql: Queryable,
  jobs: readonly string[],
  tenant: string,
): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `WITH deleted AS (
       DELETE FROM outbox WHERE failed_at IS NULL AND job = ANY($1) AND ${tenantOfRow} = $2 RETURNING 1
     ) SELECT count(*)::int AS count FROM deleted`,
    [jobs, tenant],
  );
  return row?.count ?? 0;
}

/** The messages of an outbox. */
export interface OutboxCounts {
  pending: number;
  /** Age of the oldest pending message. */
  oldestSeconds: number;
  /** Messages that their queue rejects. */
  failed: number;
}

export async function countMessages(sql: Queryable): Promise<OutboxCounts> {
  const [row] = await sql.query<OutboxCounts>(
    `SELECT count(*) FILTER (WHERE failed_at IS NULL) AS pending, count(failed_at) AS failed,
       coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE failed_at IS NULL)), 0)::double precision
         AS "oldestSeconds"
     FROM outbox`,
  );
  return row ?? { pending: 0, oldestSeconds: 0, failed: 0 };
}
