import type { Client } from '@quire/testing';

/** An event of the audit log. */
export interface AuditEvent {
  id: string;
  action: string;
  createdAt: string;
  actor: { kind: string; id: string | null; name: string | null };
  target: { type: string; id: string } | null;
  userId: string | null;
  clientAddress: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
}

export const auditLog = '/admin/audit-log';

/** Events of a site, newest first. @param query "?action=user.updated" */
export async function listEvents(client: Client, query = ''): Promise<AuditEvent[]> {
  return (await client.get(`${auditLog}${query}`)).data.items;
}
