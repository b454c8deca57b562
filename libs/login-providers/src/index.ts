export type {
  BeginRequest,
  CompleteRequest,
  Json,
  LoginForm,
  LoginProvider,
  LoginStart,
  ProviderContext,
  ProviderIdentity,
  ProviderRoute,
  ProviderStore,
  Query,
  RouteAnswer,
  RouteRequest,
  StorageOptions,
} from './descriptor/login-provider.js';
export { LoginProviderError, type LoginProviderErrorCode } from './descriptor/login-provider-error.js';
export { mistakesOfProviders, type ProviderMistake } from './descriptor/check-login-providers.js';
export { github } from './built-in/github.js';
export { google } from './built-in/google.js';
export { boundedFetch, type FetchBounds } from './outgoing/bounded-fetch.js';
