import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { selectClient } from '../clients.repository.js';
import type { Client } from '../clients.schemas.js';

/** @throws QuireError NOT_FOUND */
export async function getOAuthClient(ctx: Context, id: string): Promise<Client> {
  const client = await selectClient(ctx.db, id);
  if (!client) throw notFound('client');
  return client;
}
