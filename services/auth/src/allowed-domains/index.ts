export { AllowedDomain } from './allowed-domain.entity.js';
export { allowedDomainsMigration } from './allowed-domains.tables.js';
export { roleOfNewcomer } from './role-of-newcomer.js';
