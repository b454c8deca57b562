import { roleNamed } from '@quire/permissions';
import type { DomainRow } from './allowed-domains.repository.js';
import type { AllowedDomainAnswer } from './allowed-domains.schemas.js';

/** An allowed domain as the API gives it. */
export function domainAnswer({ domain, defaultRole, enabled, createdAt }: DomainRow): AllowedDomainAnswer {
  return { domain, defaultRole, roleName: roleNamed(defaultRole) ?? '', enabled, createdAt };
}
