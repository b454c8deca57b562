import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { updateClientRow, type ClientValues } from '../clients.repository.js';
import type { Client } from '../clients.schemas.js';

/**
 * Changes a client. Tokens that it holds are cut to its new scopes when they are refreshed, an hour later at most.
 * @throws QuireError NOT_FOUND
 */
export async function updateClient(
  ctx: Context,
  id: string,
  changes: Partial<Omit<ClientValues, 'id'>>,
): Promise<Client> {
  const client = await updateClientRow(ctx.db, id, changes);
  if (!client) throw notFound('client');
  return client;
}
