import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { AuditLog } from '../../audit/index.js';
import { insertDomain } from '../allowed-domains.repository.js';
import type { AllowedDomainAnswer, NewDomain } from '../allowed-domains.schemas.js';
import type { DefaultRolePolicy } from '../default-role.policy.js';
import { domainAnswer } from '../domain-answer.js';

/** Allows a domain, enabled (contract 24). @throws QuireError CONFLICT when it is there already, VALIDATION_ERROR (role). */
export async function createAllowedDomain(
  ctx: Context,
  { audit, defaultRoles }: { audit: AuditLog; defaultRoles: DefaultRolePolicy },
  wanted: NewDomain,
): Promise<AllowedDomainAnswer> {
  defaultRoles.assertAllowed(wanted.defaultRole);
  return ctx.db.transaction(async (tx) => {
    const made = await insertDomain(tx, wanted);
    if (!made) throw new QuireError('CONFLICT', `domain: '${wanted.domain}' is allowed already`);
    await audit.record(tx, {
      by: ctx,
      action: 'allowed-domain.created',
      target: { type: 'allowed-domain', id: made.domain },
      details: { defaultRole: made.defaultRole },
    });
    return domainAnswer(made);
  });
}
