export { ConfigurationError } from './env/configuration-error.js';
export { edgeAudience, extraDatabaseUrls, loadEnvironment } from './env/load-environment.js';
export { meilisearchSettings, type MeilisearchSettings } from './env/meilisearch-settings.js';
export { providerVariables, type ProviderVariables } from './env/provider-variables.js';
export { s3Settings, type S3Settings } from './env/s3-settings.js';
export { variableReference } from './env/reference.js';
export { variables, type Environment, type VariableName } from './env/variables.js';
export {
  checkSiteConfig,
  defineConfig,
  loadSiteConfig,
  type SiteConfig,
  type SiteConfigInput,
} from './site/site-config.js';
export { isSameLocale } from './site/locale-code.js';
export {
  checkPlan,
  checkSiteLimits,
  checkSiteSettings,
  siteLimitsSchema,
  siteSettingsSchema,
  type SiteLimits,
  type SiteSettings,
} from './site/site-settings.js';
export { edgeAccess, type EdgeAccessInput, type EdgeAccessOptions } from './site/edge-access.js';
