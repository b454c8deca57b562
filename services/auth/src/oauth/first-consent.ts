import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { tellCreated } from './clients/client-telling.js';
import { updateFirstConsent } from './clients/clients.repository.js';
import type { OAuthServices } from './oauth-services.js';

/**
 * Notes that a user lets a client in. Of one that registered itself the audit log tells at the first time: before, anybody could
 * fill it.
 */
export async function noteConsent(
  tx: Sql,
  { ctx, audit }: { ctx: Context } & Pick<OAuthServices, 'audit'>,
  clientId: string,
): Promise<void> {
  const client = await updateFirstConsent(tx, clientId);
  if (client?.registeredItself) await tellCreated(tx, { ctx, audit }, client);
}
