import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { OAuthServices } from '../../oauth-services.js';
import { deleteClientRow } from '../clients.repository.js';

/** Deletes a client; its codes and tokens end with it, at once. @throws QuireError NOT_FOUND */
export async function deleteClient(ctx: Context, { relay }: OAuthServices, id: string): Promise<void> {
  if (!(await deleteClientRow(ctx.db, id))) throw notFound('client');
  relay.drop('credentials', ctx.principal.tenant.id);
}
