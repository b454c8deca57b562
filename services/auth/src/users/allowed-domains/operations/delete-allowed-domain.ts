import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { AuditLog } from '../../../audit/index.js';
import { deleteAllowedDomainRow } from '../allowed-domains.repository.js';

/** Allows a domain no longer; who came by it stays (contract 24). @throws QuireError NOT_FOUND */
export async function deleteAllowedDomain(ctx: Context, audit: AuditLog, domain: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteAllowedDomainRow(tx, domain))) throw notFound('allowed domain');
    const target = { type: 'allowed-domain', id: domain } as const;
    await audit.record(tx, { by: ctx, action: 'allowed-domain.deleted', target });
  });
}
