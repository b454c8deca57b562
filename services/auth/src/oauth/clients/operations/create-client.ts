import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { OAuthServices } from '../../oauth-services.js';
import { tellCreated } from '../client-telling.js';
import { insertClient, type ClientValues } from '../clients.repository.js';
import type { Client } from '../clients.schemas.js';

/** Registers a client under an id of the administrator's choice (contract 33). @throws QuireError CONFLICT */
export async function createClient(
  ctx: Context,
  { audit }: OAuthServices,
  values: ClientValues,
): Promise<Client> {
  const settled = { ...values, scopes: values.scopes && unique(values.scopes) };
  return ctx.db.transaction(async (tx) => {
    const client = await insertClient(tx, settled, { registeredItself: false, grantTypes: null });
    if (!client) throw new QuireError('CONFLICT', `There is a client with the id '${values.id}' already`);
    await tellCreated(tx, { ctx, audit }, client);
    return client;
  });
}

const unique = (scopes: readonly string[]) => [...new Set(scopes)];
