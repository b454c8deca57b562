import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { AuditLog } from '../../../audit/index.js';
import { insertAllowedDomain } from '../allowed-domains.repository.js';
import type { AllowedDomainResponse, NewAllowedDomain } from '../allowed-domains.schemas.js';
import type { DefaultRolePolicy } from '../default-role.policy.js';
import { toAllowedDomainResponse } from '../allowed-domain.mapper.js';

/**
 * Allows a domain, enabled (contract 24).
 * @throws QuireError CONFLICT when it is there already, VALIDATION_ERROR (role).
 */
export async function createAllowedDomain(
  ctx: Context,
  { audit, defaultRoles }: { audit: AuditLog; defaultRoles: DefaultRolePolicy },
  wanted: NewAllowedDomain,
): Promise<AllowedDomainResponse> {
  defaultRoles.assertAllowed(wanted.defaultRole);
  return ctx.db.transaction(async (tx) => {
    const made = await insertAllowedDomain(tx, wanted);
    if (!made) throw new QuireError('CONFLICT', `domain: '${wanted.domain}' is already allowed`);
    await audit.record(tx, {
      by: ctx,
      action: 'allowed-domain.created',
      target: { type: 'allowed-domain', id: made.domain },
      details: { defaultRole: made.defaultRole },
    });
    return toAllowedDomainResponse(made);
  });
}
