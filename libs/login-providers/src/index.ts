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
