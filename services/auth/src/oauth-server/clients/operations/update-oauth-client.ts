import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { OAuthDeps } from '../../oauth-deps.js';
import { updateClientRow, type ClientValues } from '../clients.repository.js';
import type { Client } from '../clients.schemas.js';

/**
 * Changes a client. Tokens that it holds are cut to its new scopes when they are refreshed, an hour later at most.
 * @throws QuireError NOT_FOUND
 */
export async function updateOAuthClient(
  ctx: Context,
  { audit }: OAuthDeps,
  id: string,
  changes: Partial<Omit<ClientValues, 'id'>>,
): Promise<Client> {
  return ctx.db.transaction(async (tx) => {
    const client = await updateClientRow(tx, id, changes);
    if (!client) throw notFound('client');
    const fields = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    const target = { type: 'oauth-client', id } as const;
    await audit.record(tx, { by: ctx, action: 'oauth-client.updated', target, details: { fields } });
    return client;
  });
}
