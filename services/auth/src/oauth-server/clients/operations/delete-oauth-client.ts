import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { OAuthDeps } from '../../oauth-deps.js';
import { deleteClientRow } from '../clients.repository.js';

/** Deletes a client; its codes and tokens end with it, at once. @throws QuireError NOT_FOUND */
export async function deleteOAuthClient(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  id: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteClientRow(tx, id))) throw notFound('client');
    const target = { type: 'oauth-client', id } as const;
    await audit.record(tx, { by: ctx, action: 'oauth-client.deleted', target });
    tx.afterCommit(() => relay.invalidate('credentials', ctx.principal.tenant.id));
  });
}
