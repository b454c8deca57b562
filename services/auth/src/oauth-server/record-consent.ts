import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { auditClientCreated } from './clients/clients.operations.js';
import { updateFirstConsent } from './clients/clients.repository.js';
import type { OAuthDeps } from './oauth-deps.js';

/**
 * Stores the consent of a user to a client. The first consent records a self-registered client in the audit log:
 * recording its registration would let any client fill the log.
 */
export async function recordConsent(
  tx: Queryable,
  { ctx, audit }: { ctx: Context } & Pick<OAuthDeps, 'audit'>,
  clientId: string,
): Promise<void> {
  const client = await updateFirstConsent(tx, clientId);
  if (client?.registeredItself) await auditClientCreated(tx, { ctx, audit }, client);
}
