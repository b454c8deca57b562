import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { AuditLog } from '../../audit/index.js';
import type { Client } from './clients.schemas.js';

/**
 * Has the audit log tell that there is a new application: when an administrator makes it, or a user lets it in for the
 * first time.
 */
export async function auditClientCreated(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { id, scopes, registeredItself }: Client,
): Promise<void> {
  const target = { type: 'oauth-client', id } as const;
  const details = { scopes, registeredItself };
  await audit.record(tx, { by: ctx, action: 'oauth-client.created', target, details });
}
