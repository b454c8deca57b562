export { atproto, createAtproto, type AllowedAccounts, type Network } from './atproto/index.js';
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
  RouteResponse,
  RouteRequest,
  StorageOptions,
} from './descriptor/login-provider.js';
export { LoginProviderError, type LoginProviderErrorCode } from './descriptor/login-provider-error.js';
export { findProviderMistakes, type ProviderIssue } from './descriptor/check-login-providers.js';
export { github } from './built-in/github.js';
export { google } from './built-in/google.js';
