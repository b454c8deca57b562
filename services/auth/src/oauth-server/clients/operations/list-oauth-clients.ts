import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { clientOrder, selectClients } from '../clients.repository.js';
import type { Client, ClientsQuery } from '../clients.schemas.js';

/** One page of the clients, newest first (contract 33). @throws QuireError INVALID_CURSOR */
export async function listOAuthClients(
  ctx: Context,
  { cursor, limit }: ClientsQuery,
): Promise<{ items: Client[]; nextCursor?: string }> {
  const scope = cursorScope({
    operation: 'listOAuthClients',
    tenant: ctx.principal.tenant.id,
    filters: {},
  });
  const page = new KeysetPage(clientOrder, scope, { cursor, limit });
  const rows = await selectClients(ctx.db, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}
