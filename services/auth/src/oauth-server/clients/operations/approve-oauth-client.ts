import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { OAuthDeps } from '../../oauth-deps.js';
import { selectClient, updateApproval } from '../clients.repository.js';
import type { Client } from '../clients.schemas.js';

/**
 * Vouches for a client that registered itself: from now on it is taken for one that an administrator made (decision
 * 57). A client that needs no approval stays as it is.
 * @throws QuireError NOT_FOUND
 */
export async function approveOAuthClient(ctx: Context, { audit }: OAuthDeps, id: string): Promise<Client> {
  return ctx.db.transaction(async (tx) => {
    const approved = await updateApproval(tx, id);
    const client = approved ?? (await selectClient(tx, id));
    if (!client) throw notFound('client');
    const target = { type: 'oauth-client', id } as const;
    if (approved) await audit.record(tx, { by: ctx, action: 'oauth-client.approved', target });
    return client;
  });
}
