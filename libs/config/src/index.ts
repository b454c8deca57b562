export { ConfigurationError, edgeAudience, extraDatabaseUrls, loadEnvironment } from './env/load-environment.js';
export { variableReference } from './env/reference.js';
export { variables, type Environment, type VariableName } from './env/variables.js';
export {
  checkSiteConfig,
  defineConfig,
  edgeAccess,
  loadSiteConfig,
  type SiteConfig,
  type EdgeAccessInput,
  type EdgeAccessOptions,
  type SiteConfigInput,
} from './site/site-config.js';
