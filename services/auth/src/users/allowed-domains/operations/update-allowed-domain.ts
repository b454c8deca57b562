import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { AuditLog } from '../../../audit/index.js';
import { updateAllowedDomainRow } from '../allowed-domains.repository.js';
import type { AllowedDomainResponse, AllowedDomainUpdate } from '../allowed-domains.schemas.js';
import type { DefaultRolePolicy } from '../default-role.policy.js';
import { toAllowedDomainResponse } from '../allowed-domain.mapper.js';

/**
 * Changes whether a domain is enabled, and the role it gives (contract 24).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (role).
 */
export async function updateAllowedDomain(
  ctx: Context,
  { audit, defaultRoles }: { audit: AuditLog; defaultRoles: DefaultRolePolicy },
  domain: string,
  change: AllowedDomainUpdate,
): Promise<AllowedDomainResponse> {
  defaultRoles.assertAllowed(change.defaultRole);
  return ctx.db.transaction(async (tx) => {
    const changed = await updateAllowedDomainRow(tx, domain, change);
    if (!changed) throw notFound('allowed domain');
    const { defaultRole, enabled } = changed;
    await audit.record(tx, {
      by: ctx,
      action: 'allowed-domain.updated',
      target: { type: 'allowed-domain', id: domain },
      details: { defaultRole, enabled },
    });
    return toAllowedDomainResponse(changed);
  });
}
