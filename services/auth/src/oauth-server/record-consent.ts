import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { auditClientCreated } from './clients/audit-client-created.js';
import { updateFirstConsent } from './clients/clients.repository.js';
import type { OAuthDeps } from './oauth-deps.js';

/**
 * Notes that a user lets a client in. Of one that registered itself the audit log tells at the first time: before,
 * anybody could fill it.
 */
export async function recordConsent(
  tx: Queryable,
  { ctx, audit }: { ctx: Context } & Pick<OAuthDeps, 'audit'>,
  clientId: string,
): Promise<void> {
  const client = await updateFirstConsent(tx, clientId);
  if (client?.registeredItself) await auditClientCreated(tx, { ctx, audit }, client);
}
