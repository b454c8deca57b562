import { type Migration, type Parameters, type TransactionalSql } from '@quire/database';
import type { QueueBackend } from '@quire/queue';
export const outboxMigration: Migration = { name: '0001-outbox', up: async (sql) => { await sql.query('CREATE TABLE outbox (id text PRIMARY KEY, tenant text NOT NULL, job text NOT NULL, message jsonb NOT NULL, due_at timestamptz(3), created_at timestamptz(3) NOT NULL DEFAULT now())'); } };
export interface OutboxRow { id: string; tenant: string; job: string; message: object; dueAt: string | null }
export type PublishScheduledEntry = { tenantId: string; collection: string; entryId: string; scheduledAt?: { ms: number } };
export const publishScheduledEntry = { name: 'publish-scheduled-entry' };
export const timestampOf = (date: Date) => ({ ms: date.getTime() });
export const dateOf = (t: { ms: number }) => new Date(t.ms);
export function outboxRow(job: { name: string }, message: PublishScheduledEntry, { dueAt }: { dueAt?: Date }): OutboxRow {
  return { id: String(Date.now()) + Math.random(), tenant: message.tenantId, job: job.name, message, dueAt: dueAt?.toISOString() ?? null };
}
export function outboxInsert(service: string, row: OutboxRow, p: Parameters, from: string): string {
  return `INSERT INTO cms_${service}.outbox (id, tenant, job, message, due_at) SELECT ${p.add(row.id, 'text')}, ${p.add(row.tenant, 'text')}, ${p.add(row.job, 'text')}, ${p.add(JSON.stringify(row.message), 'jsonb')}, ${p.add(row.dueAt, 'timestamptz')} FROM ${from}`;
}
export class OutboxDispatcher { constructor(readonly o: { databases: TransactionalSql[]; backend: QueueBackend; logger: object }) {} start() {} wake() {} async stop() {} async pending() { return 0; } }
export class CacheRelay { static async open(_: object) { return new CacheRelay(); } drop(..._parts: string[]) {} async onDrop(_: string, _l: (tenantId?: string) => void) {} onGap(_: () => void) {} async close() {} }
export function jobHandler(job: object, run: (ctx: never, m: never) => unknown) { return { job, run }; }
export async function startWorkers(_: object) { return { stop: async () => {} }; }
