import { roleNamed } from '@quire/permissions';
import type { AllowedDomainRow } from './allowed-domains.repository.js';
import type { AllowedDomainResponse } from './allowed-domains.schemas.js';

/** An allowed domain as the API gives it. */
export function toAllowedDomainResponse({
  domain,
  defaultRole,
  enabled,
  createdAt,
}: AllowedDomainRow): AllowedDomainResponse {
  return { domain, defaultRole, roleName: roleNamed(defaultRole) ?? '', enabled, createdAt };
}
