export { LinkedAccountReader } from './linked-account-reader.js';
export { loginOptions, setupOptions, type LoginOption } from './login-options.js';
export { LoginProviders, type ListedProvider } from './login-providers.js';
export {
  providerButtons,
  providerFieldName,
  providerForms,
  providerPageHeaders,
} from './provider-buttons.js';
export { ProviderDeps } from './provider-deps.js';
