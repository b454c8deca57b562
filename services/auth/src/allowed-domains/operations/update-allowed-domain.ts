import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { AuditLog } from '../../audit/index.js';
import { changeDomain } from '../allowed-domains.repository.js';
import type { AllowedDomainAnswer, DomainChange } from '../allowed-domains.schemas.js';
import type { DefaultRolePolicy } from '../default-role.policy.js';
import { domainAnswer } from '../domain-answer.js';

/** Changes whether a domain is enabled, and the role it gives (contract 24). @throws QuireError NOT_FOUND, VALIDATION_ERROR (role). */
export async function updateAllowedDomain(
  ctx: Context,
  { audit, defaultRoles }: { audit: AuditLog; defaultRoles: DefaultRolePolicy },
  domain: string,
  change: DomainChange,
): Promise<AllowedDomainAnswer> {
  defaultRoles.assertAllowed(change.defaultRole);
  return ctx.db.transaction(async (tx) => {
    const changed = await changeDomain(tx, domain, change);
    if (!changed) throw notFound('allowed domain');
    const { defaultRole, enabled } = changed;
    await audit.record(tx, {
      by: ctx,
      action: 'allowed-domain.updated',
      target: { type: 'allowed-domain', id: domain },
      details: { defaultRole, enabled },
    });
    return domainAnswer(changed);
  });
}
