export { LinkedAccountReader } from './linked-account-reader.js';
export { LoginAccount } from './login-account.entity.js';
export { LoginAttempt } from './login-attempt.entity.js';
export { loginOptions, setupOptions, type LoginOption } from './login-options.js';
export { LoginProviders, type ListedProvider } from './login-providers.js';
export {
  providerButtons,
  providerFieldName,
  providerForms,
  providerPageHeaders,
} from './provider-buttons.js';
export { ProviderRecord } from './provider-record.entity.js';
export { ProviderRoutesController } from './provider-routes.controller.js';
export { ProviderDeps } from './provider-deps.js';
export { ProvidersController } from './providers.controller.js';
