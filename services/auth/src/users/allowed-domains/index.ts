export { AllowedDomain } from './allowed-domain.entity.js';
export { AllowedDomainsController } from './allowed-domains.controller.js';
export { DefaultRolePolicy } from './default-role.policy.js';
export { hasEnabledDomain } from './allowed-domains.repository.js';
export { defaultRoleForDomain } from './default-role-for-domain.js';
