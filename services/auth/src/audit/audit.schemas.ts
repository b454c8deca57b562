import { instant, pageQuery, rowId, storableText } from '@quire/operation';
import { z } from 'zod';

export const auditEntrySchema = z
  .object({
    id: z.string(),
    action: z.string(),
    createdAt: z.string(),
    actor: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
    target: z.object({ type: z.string(), id: z.string() }).nullable(),
    userId: z.string().nullable(),
    clientAddress: z.string().nullable(),
    requestId: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntryResponse = z.output<typeof auditEntrySchema>;

export const auditQuery = pageQuery.extend({
  action: storableText(z.string().min(1).max(64)).optional(),
  /** Id of the actor or of the affected user. */
  user: rowId.optional(),
  from: instant.optional(),
  to: instant.optional(),
});

export type AuditQuery = z.output<typeof auditQuery>;
export type AuditFilters = Omit<AuditQuery, 'cursor' | 'limit'>;
