export { AllowedDomain } from './allowed-domain.entity.js';
export { AllowedDomainsController } from './allowed-domains.controller.js';
export { DefaultRolePolicy } from './default-role.policy.js';
export { defaultRoleForDomain, hasEnabledDomain } from './allowed-domains.repository.js';
export { acceptsSignups, assertAcceptsSignups } from './signup.policy.js';
