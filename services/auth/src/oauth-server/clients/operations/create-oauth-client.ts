import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { OAuthDeps } from '../../oauth-deps.js';
import { auditClientCreated } from '../audit-client-created.js';
import { insertClient, type ClientValues } from '../clients.repository.js';
import type { Client } from '../clients.schemas.js';

/** Registers a client under an id of the administrator's choice (contract 33). @throws QuireError CONFLICT */
export async function createOAuthClient(
  ctx: Context,
  { audit }: OAuthDeps,
  values: ClientValues,
): Promise<Client> {
  const settled = { ...values, scopes: values.scopes && unique(values.scopes) };
  return ctx.db.transaction(async (tx) => {
    const client = await insertClient(tx, settled, { registeredItself: false, grantTypes: null });
    if (!client) throw new QuireError('CONFLICT', `A client with the id '${values.id}' already exists`);
    await auditClientCreated(tx, { ctx, audit }, client);
    return client;
  });
}

const unique = (scopes: readonly string[]) => [...new Set(scopes)];
